fn main() {
    posenc::Spec::new(2).fill(0..=3, &mut [0.0f32; 8]).unwrap();
}
