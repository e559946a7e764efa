//! Archives, stdin, and other files that hold tables.

use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use posenc::{Preset, Spec};
use rawzip::{CompressionMethod, ZipArchiveWriter};

use crate::common::{Folder, write_npy};

/// Writes a .npz file as `numpy.savez` does, or `numpy.savez_compressed`.
pub(crate) fn write_npz(path: &Path, files: &[(&str, Vec<u8>)], compressed: bool) {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, content) in files {
        let method = if compressed { CompressionMethod::DEFLATE } else { CompressionMethod::STORE };
        let (mut entry, config) = archive.new_file(name).compression_method(method).start().unwrap();
        let descriptor = if compressed {
            let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
            writer.write_all(content).unwrap();
            let (encoder, descriptor) = writer.finish().unwrap();
            encoder.finish().unwrap();
            descriptor
        } else {
            let mut writer = config.wrap(&mut entry);
            writer.write_all(content).unwrap();
            writer.finish().unwrap().1
        };
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    fs::write(path, bytes).unwrap();
}

fn npy(folder: &Folder, spec: &Spec) -> Vec<u8> {
    let path = folder.path("one.npy");
    write_npy(&path, &[9, spec.d_model() as u64], &spec.table::<f32>(9).unwrap().into_vec());
    fs::read(path).unwrap()
}

#[test]
fn arrays_of_npz_files() {
    let folder = Folder::new();
    let [whisper, paper] = [Spec::preset(Preset::Whisper, 8), Spec::new(8)].map(|spec| npy(&folder, &spec));
    for compressed in [false, true] {
        write_npz(&folder.path("one.npz"), &[("arr_0.npy", whisper.clone())], compressed);
        folder.posenc("compare one.npz -p whisper").done().says("9 x 8 f32");
        folder.posenc("compare one.npz").status(1);
        folder.posenc("identify one.npz").done().says("whisper");
        let both = [("encoder.pe.npy", whisper.clone()), ("pe.npy", paper.clone())];
        write_npz(&folder.path("two.npz"), &both, compressed);
        folder.posenc("compare two.npz --name encoder.pe -p whisper").done();
        folder.posenc("compare two.npz --name pe").done();
        folder.posenc("compare two.npz").refused("has several arrays; choose one with --name: `encoder.pe`, `pe`");
        folder.posenc("compare two.npz --name x").refused("has no array `x`; its arrays are `encoder.pe`, `pe`");
        let bytes = fs::read(folder.path("one.npz")).unwrap();
        for length in (0..bytes.len()).step_by(13) {
            folder.write("cut.npz", &bytes[..length]);
            folder.posenc("compare cut.npz").refused("`cut.npz` is ");
        }
        let mut wrong = bytes.clone();
        let place = bytes.len() / 2;
        wrong[place] ^= 1;
        folder.write("wrong.npz", wrong);
        folder.posenc("compare wrong.npz -p whisper").refused("is damaged");
        // Most errors are told by the decompression. A checksum that is wrong itself is told by nothing else.
        let mut wrong = bytes.clone();
        let directory = bytes.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
        wrong[directory + 16] ^= 1;
        folder.write("wrong.npz", wrong);
        folder.posenc("compare wrong.npz -p whisper").refused("checksum");
    }
    write_npz(&folder.path("none.npz"), &[("readme.txt", b"hello".to_vec())], false);
    folder.posenc("compare none.npz").refused("is an archive without arrays");
    write_npz(&folder.path("model.pt"), &[("model/data.pkl", b"\x80\x02".to_vec())], false);
    folder.posenc("compare model.pt").refused("is a file of PyTorch with a Python pickle, which could run code; save");
}

#[test]
fn tables_are_read_from_stdin() {
    let folder = Folder::new();
    let table = npy(&folder, &Spec::preset(Preset::Whisper, 8));
    folder.posenc_reading("compare - -p whisper", &table).done().says("9 x 8 f32");
    folder.posenc_reading("identify -", &table).done().says("whisper");
    folder.posenc("table -p whisper -n 9 -d 8 -o pe.safetensors").done();
    folder.posenc_reading("compare - -p whisper", &fs::read(folder.path("pe.safetensors")).unwrap()).done();
    write_npz(&folder.path("pe.npz"), &[("pe.npy", table)], true);
    folder.posenc_reading("compare - -p whisper", &fs::read(folder.path("pe.npz")).unwrap()).done();
    folder.posenc_reading("compare -", b"").refused("`-` is empty");
}

#[test]
fn other_formats_are_named() {
    let folder = Folder::new();
    folder.write("model.gguf", b"GGUF\x03\0\0\0\0\0\0\0");
    folder.posenc("compare model.gguf").refused("is a GGUF file, which is not read; save the tensor with");
    folder.write("pickle.pt", b"\x80\x02}q\x00 and so on");
    folder.posenc("compare pickle.pt").refused("is a Python pickle");
}
