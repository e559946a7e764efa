"""Checks what a wheel and a source distribution of the Python package contain.

Usage: check_wheel.py WHEEL SDIST VERSION
"""

import email
import pathlib
import re
import sys
import tarfile
import zipfile

WHEEL = {
    "posenc/__init__.py",
    "posenc/_posenc.pyi",
    "posenc/py.typed",
    "posenc/_posenc.abi3.so",
    "{info}/METADATA",
    "{info}/RECORD",
    "{info}/WHEEL",
    "{info}/licenses/LICENSE-APACHE",
    "{info}/licenses/LICENSE-MIT",
}

# Folders and files of the source distribution, beside Cargo's own of each package.
SDIST = {"python/src", "python/posenc", "python/README.md", "pyproject.toml", "PKG-INFO", "LICENSE-MIT", "LICENSE-APACHE"}


def check(condition, sentence):
    if not condition:
        sys.exit(f"check_wheel: {sentence}")


def check_wheel(path, version):
    check(re.fullmatch(rf"posenc-{version}-cp311-abi3-\w+\.whl", path.name), f"the wheel is named {path.name}")
    with zipfile.ZipFile(path) as wheel:
        info = f"posenc-{version}.dist-info"
        names = {name for name in wheel.namelist() if not name.endswith("/")}
        # Lists of the crates in the extension module are made by newer versions of maturin.
        extra = {name for name in names if name.startswith(f"{info}/sboms/")}
        expected = {name.format(info=info) for name in WHEEL}
        check(names - extra == expected, f"the wheel differs in {sorted((names - extra) ^ expected)}")
        metadata = email.message_from_bytes(wheel.read(f"{info}/METADATA"))
        for key, value in {
            "Name": "posenc",
            "Version": version,
            "Requires-Python": ">=3.11",
            "License-Expression": "MIT OR Apache-2.0",
        }.items():
            check(metadata[key] == value, f"the wheel says {key}: {metadata[key]}, not {value}")
        required = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
        check(not required, f"the wheel requires {required}")
        size = wheel.getinfo("posenc/_posenc.abi3.so").file_size
    print(f"{path.name}: {path.stat().st_size} bytes, of which the extension module is {size} before compression")


def check_sdist(path, version):
    with tarfile.open(path) as sdist:
        names = [name.removeprefix(f"posenc-{version}/") for name in sdist.getnames()]
    for part in SDIST:
        check(any(name == part or name.startswith(f"{part}/") for name in names), f"the sources lack {part}")
    unwanted = [name for name in names if re.search(r"(^|/)(target|__pycache__)/|\.so$|\.npy$", name)]
    check(not unwanted, f"the sources contain {unwanted}")
    print(f"{path.name}: {path.stat().st_size} bytes, {len(names)} files")


def main():
    wheel, sdist, version = sys.argv[1:]
    check_wheel(pathlib.Path(wheel), version)
    check_sdist(pathlib.Path(sdist), version)


main()
