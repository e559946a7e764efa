fn main() {
    let _ = posenc::Spec::new(8).encode("first", &mut [0.0f32; 8]);
}
