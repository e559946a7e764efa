//! Irrational constants as fractions of one, made by `scripts/constants.py`; never edited by hand.
//!
//! Limb 0 holds the first 64 bits after the binary point. Each constant is truncated to 4096 bits, so any prefix of it
//! lies below the true value by less than one unit of its last place.

/// Limbs of each constant, and so the widest precision of the exact tier.
pub(crate) const LIMBS: usize = 64;

/// 1 / 2π = 0.159..., turns in a radian.
#[rustfmt::skip]
pub(crate) const INVERSE_TAU: [u64; LIMBS] = [
    0x28be60db9391054a, 0x7f09d5f47d4d3770, 0x36d8a5664f10e410, 0x7f9458eaf7aef158,
    0x6dc91b8e909374b8, 0x01924bba82746487, 0x3f877ac72c4a69cf, 0xba208d7d4baed121,
    0x3a671c09ad17df90, 0x4e64758e60d4ce7d, 0x272117e2ef7e4a0e, 0xc7fe25fff7816603,
    0xfbcbc462d6829b47, 0xdb4d9fb3c9f2c26d, 0xd3d18fd9a797fa8b, 0x5d49eeb1faf97c5e,
    0xcf41ce7de294a4ba, 0x9afed7ec47e35742, 0x1580cc11bf1edaea, 0xfc33ef0826bd0d87,
    0x6a78e45857b986c2, 0x19666157c5281a10, 0x237ff620135cc9cc, 0x41818555b29cea32,
    0x58389ef0231ad1f1, 0x0670d9f3773a024a, 0xa0d6711da2e58729, 0xb76bd13455c6414f,
    0xa97fc1c14fdf8cfa, 0x0cb0b793e60c9f6e, 0xf0cf49bbdac797be, 0x27ce87cd72bc9fc7,
    0x61fc48641f1f091a, 0xbe9bb55dcb4c10ce, 0xc571852d674670f0, 0xb12b50534b174003,
    0x119f618b5c78e6b1, 0xa6c0188cdf34ad25, 0xe9ed35554dfd8fb5, 0xc60428ff1d934aa7,
    0x592af5dc3e1f18d5, 0xec1eb9c545d59270, 0x36758ece2129f2c8, 0xc91de2b588d516ae,
    0x47c006c2bc77f386, 0x7fcc67da87999855, 0xe651feeb361fdfad, 0xd948a27a0c982ff9,
    0xb3713bc24d9b350f, 0xd775f785b78ed624, 0xa6f78a08b4ba218a, 0x1356388cb2b185b8,
    0xc232df78143005e9, 0xc77cd6f8060d04cb, 0x9884a0c05220d6e3, 0xbd5fec2b7cba4790,
    0xd29234d9c436376a, 0x9097ebb3985aa90a, 0x02ad2674fca9819f, 0xddd720f0a8e20f18,
    0x5e1ce296a32bef75, 0xdbd8e98b72effd3b, 0xe06359f049917295, 0x4db672b4aa0a2358,
];

/// π / 4 = 0.785..., radians in an eighth of a turn.
#[rustfmt::skip]
pub(crate) const QUARTER_PI: [u64; LIMBS] = [
    0xc90fdaa22168c234, 0xc4c6628b80dc1cd1, 0x29024e088a67cc74, 0x020bbea63b139b22,
    0x514a08798e3404dd, 0xef9519b3cd3a431b, 0x302b0a6df25f1437, 0x4fe1356d6d51c245,
    0xe485b576625e7ec6, 0xf44c42e9a637ed6b, 0x0bff5cb6f406b7ed, 0xee386bfb5a899fa5,
    0xae9f24117c4b1fe6, 0x49286651ece45b3d, 0xc2007cb8a163bf05, 0x98da48361c55d39a,
    0x69163fa8fd24cf5f, 0x83655d23dca3ad96, 0x1c62f356208552bb, 0x9ed529077096966d,
    0x670c354e4abc9804, 0xf1746c08ca18217c, 0x32905e462e36ce3b, 0xe39e772c180e8603,
    0x9b2783a2ec07a28f, 0xb5c55df06f4c52c9, 0xde2bcbf695581718, 0x3995497cea956ae5,
    0x15d2261898fa0510, 0x15728e5a8aaac42d, 0xad33170d04507a33, 0xa85521abdf1cba64,
    0xecfb850458dbef0a, 0x8aea71575d060c7d, 0xb3970f85a6e1e4c7, 0xabf5ae8cdb0933d7,
    0x1e8c94e04a25619d, 0xcee3d2261ad2ee6b, 0xf12ffa06d98a0864, 0xd87602733ec86a64,
    0x521f2b18177b200c, 0xbbe117577a615d6c, 0x770988c0bad946e2, 0x08e24fa074e5ab31,
    0x43db5bfce0fd108e, 0x4b82d120a9210801, 0x1a723c12a787e6d7, 0x88719a10bdba5b26,
    0x99c327186af4e23c, 0x1a946834b6150bda, 0x2583e9ca2ad44ce8, 0xdbbbc2db04de8ef9,
    0x2e8efc141fbecaa6, 0x287c59474e6bc05d, 0x99b2964fa090c3a2, 0x233ba186515be7ed,
    0x1f612970cee2d7af, 0xb81bdd762170481c, 0xd0069127d5b05aa9, 0x93b4ea988d8fddc1,
    0x86ffb7dc90a6c08f, 0x4df435c934028492, 0x36c3fab4d27c7026, 0xc1d4dcb2602646de,
];

/// ln 2 / 2 = 0.346....
#[rustfmt::skip]
pub(crate) const HALF_LN_2: [u64; LIMBS] = [
    0x58b90bfbe8e7bcd5, 0xe4f1d9cc01f97b57, 0xa079a193394c5b16, 0xc5068badc5d57d15,
    0xf3dc3b1036f5d64c, 0x2acaa97da57d0d88, 0x7697571ae09c10a2, 0x13ab9d9488b4dc12,
    0x9f4b650b11257462, 0x8d65ed0898be1c3f, 0x5cf54de1d89b301d, 0x92b7d0763b2bfba5,
    0xb96743d8ceb2a465, 0x7aefd35e9c181924, 0x32afd0c3979071d1, 0x6d16cbe2879feae3,
    0x03fa6508fdadfdc8, 0x3086987c47f2a8d1, 0x772b4eb6fe0f7d0a, 0xbe9711ef0a0059cb,
    0x0ba303baedc4c872, 0xe4a1f3995a3ce699, 0xe6662732c9c9a8a6, 0x260d0f05e8eb04ae,
    0x92b34d999ab2519b, 0xb54e3fc52f0a4741, 0x03a6db00ae7f3d51, 0x8624052a0b9a8696,
    0x4aaea8bcd8f0bdce, 0xd7189e6db6303658, 0x83c7b9ae8d96d98d, 0xafa85a8c283260c5,
    0xa68b16d9d9b2c29e, 0xbacc50ca8d7139f7, 0x2ab85b6347cb4c1a, 0x4b6a73699857c44d,
    0xa25012aa398e6e47, 0x50b949e89145277c, 0xc6b7a8bbfde783aa, 0x93452e0fca9c5cc1,
    0x30d7fea2358e51e7, 0xaf49115c463369e2, 0xa110c1f6e4ca1084, 0x85dd8b7d79eca4f9,
    0x1b7015906774435c, 0x82e0946a9e85e97c, 0xb109b18cb57a8181, 0x0030724c841c8d06,
    0x2b99cdd15f5d3e82, 0x9562db0e6274903e, 0x779786716b9b9cac, 0x6bb1132c480f3235,
    0x4a8c22306e273a43, 0x8ab706149209eaf1, 0xb0e0b4b6e925575e, 0xa39c137ed0611c5c,
    0x855888dddeb3e392, 0x4b9668c5fddecea1, 0x3623904b73b08ae0, 0x2fb7be75d64fa2d7,
    0x6765b978ce1c19ce, 0xc7b4131286f5448f, 0x783d7ff9d4491ba7, 0x0baf5a57e46d56ec,
];
