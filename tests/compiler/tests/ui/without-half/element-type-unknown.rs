fn main() {
    let _ = posenc::Spec::new(8).fill(0.., &mut [0u16; 8]);
}
