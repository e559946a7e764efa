fn main() {
    let _ = posenc::Spec::new(8).encode("first", &mut [0.0f32; 8]);
    posenc::Spec::new(2).fill(0..=3, &mut [0.0f32; 8]).unwrap();
}
