//! Constants and tables of the samplers.
//!
//! The parameters behind them are eta, the width of the small sampler (1.026, 0.974, 0.928), and sigma_sig, the width of a signature
//! coefficient (69.76, 92.37, 118.22); sigma = sigma_sig / eta, and the wide sampler has width 4 eta. Qn is a fixed-point format, see
//! [`fixed`](crate::fixed).

/// The constants of a parameter set.
#[derive(Debug)]
pub struct Constants {
    /// The half-Gaussian of width eta.
    pub(crate) small: BaseTable<16>,
    /// The half-Gaussian of width 4 eta.
    pub(crate) wide: BaseTable<48>,
    /// 1/(2 eta^2) in Q43.
    pub(crate) inv_2eta: i64,
    /// 1/sigma^2 in Q43.
    pub(crate) inv_sigma2: i64,
    /// 2^30/q in Q43: takes numerators at scale 2^13 q to Q43. Its low 18 bits are zero.
    pub(crate) inv_ql: i64,
    /// 1/C in Q62, the probability of Delta2 for a vanishing correction.
    pub(crate) inv_c: i64,
    /// ln C in Q43.
    pub(crate) ln_c: i64,
    /// What the corrected signer uses.
    pub(crate) corrected: Choice,
    /// What the submitted signer uses.
    pub(crate) submitted: Choice,
}

/// Constants on which the two signers may differ.
#[derive(Debug)]
pub struct Choice {
    /// 1/(2 (4 eta)^2) in Q43. The submission has a sixteenth of it in yuanyang-512.
    pub(crate) inv_2wide: i64,
    /// Acceptance thresholds of the zero-centred sampler in units of 2^-64: exp(-(2 i + 1) `inv_2wide`) for result i + 1.
    pub(crate) zero: [u64; 48],
    /// 1/(2 sigma_sig^2) in Q43. The submission has 2^12 times as much in yuanyang-512.
    pub(crate) inv_2sig: i64,
    /// theta = 2e/(1 + 2e) with e = exp(-2 pi^2 eta^2), in Q62. The submission uses that of yuanyang-512 in all sets.
    pub(crate) theta: i64,
}

/// A cumulative table of a half-Gaussian of width s: entry i is the sum of floor(2^96 p_k) for k > i, where p_k is the
/// probability exp(-k^2/(2 s^2)) / sum_{j >= 0} exp(-j^2/(2 s^2)). It ends before the first zero.
///
/// Entries are stored as three 32-bit words, each with its highest bit flipped, so that comparisons of signed words compare
/// them. N, a multiple of eight, is the number of entries with zeros at the end.
#[derive(Debug)]
pub(crate) struct BaseTable<const N: usize> {
    pub(crate) high: [i32; N],
    pub(crate) middle: [i32; N],
    pub(crate) low: [i32; N],
}

impl<const N: usize> BaseTable<N> {
    const fn new(entries: &[u128]) -> Self {
        let mut table = Self { high: [i32::MIN; N], middle: [i32::MIN; N], low: [i32::MIN; N] };
        let mut i = 0;
        while i < entries.len() {
            table.high[i] = flip((entries[i] >> 64) as u32);
            table.middle[i] = flip((entries[i] >> 32) as u32);
            table.low[i] = flip(entries[i] as u32);
            i += 1;
        }
        table
    }
}

/// A word as a signed word in the same order.
pub(crate) const fn flip(x: u32) -> i32 {
    (x ^ (1 << 31)) as i32
}

/// Zeros behind the thresholds that are used.
const fn padded(thresholds: &[u64]) -> [u64; 48] {
    let mut out = [0; 48];
    let mut i = 0;
    while i < thresholds.len() {
        out[i] = thresholds[i];
        i += 1;
    }
    out
}

/// yuanyang-512.
pub(crate) const YUANYANG_512: Constants = Constants {
    small: BaseTable::new(&SMALL_512),
    wide: BaseTable::new(&WIDE_512),
    inv_2eta: 0x3CC_C24A_84E8,
    inv_sigma2: 0x7168_FBAA,
    inv_ql: 0x30BE_67C5_5AEC_0000,
    inv_c: 0x3F10_CB68_EC16_8A17,
    ln_c: 129_369_143_360,
    corrected: Choice {
        inv_2wide: 0x3C_CC24_A84F,
        zero: padded(&ZERO_512),
        inv_2sig: 0x35DE_15C3,
        theta: 0x2_07F5_5527,
    },
    submitted: Choice {
        inv_2wide: 0x3_CCC2_4A85,
        zero: padded(&ZERO_512_SUBMITTED),
        inv_2sig: 0x35D_E15C_331C,
        theta: 0x2_07F5_5527,
    },
};

/// yuanyang-1024.
pub(crate) const YUANYANG_1024: Constants = Constants {
    small: BaseTable::new(&SMALL_1024),
    wide: BaseTable::new(&WIDE_1024),
    inv_2eta: 0x437_6629_FEBF,
    inv_sigma2: 0x3A4B_55F2,
    inv_ql: 0x1D40_2838_374C_0000,
    inv_c: 0x3D5B_52C0_55A9_4849,
    ln_c: 371_003_338_904,
    corrected: Choice {
        inv_2wide: 0x43_7662_9FEC,
        zero: padded(&ZERO_1024),
        inv_2sig: 0x1EB9_595B,
        theta: 0xF_D29F_E7A9,
    },
    submitted: Choice {
        inv_2wide: 0x43_7662_9FEC,
        zero: padded(&ZERO_1024),
        inv_2sig: 0x1EB9_595B,
        theta: 0x2_07F5_5527,
    },
};

/// yuanyang-2048.
pub(crate) const YUANYANG_2048: Constants = Constants {
    small: BaseTable::new(&SMALL_2048),
    wide: BaseTable::new(&WIDE_2048),
    inv_2eta: 0x4A5_0F86_3D7D,
    inv_sigma2: 0x204E_59C7,
    inv_ql: 0x1110_7F73_37E4_0000,
    inv_c: 0x3E05_8CCD_6EAD_8D34,
    ln_c: 276_189_285_218,
    corrected: Choice {
        inv_2wide: 0x4A_50F8_63D8,
        zero: padded(&ZERO_2048),
        inv_2sig: 0x12C1_BB90,
        theta: 0x58_FC3F_BBE8,
    },
    submitted: Choice {
        inv_2wide: 0x4A_50F8_63D8,
        zero: padded(&ZERO_2048),
        inv_2sig: 0x12C1_BB90,
        theta: 0x2_07F5_5527,
    },
};

const SMALL_512: [u128; 11] = [
    0x70a7a9a8_f6f7faa1_081eceed,
    0x17824d31_2e7f24d0_2b10cc6d,
    0x02113daf_88faa8f4_df3bc744,
    0x0012a0ab_e42fac28_798c8a71,
    0x000041ca_98cfb6d2_57496e2e,
    0x0000005a_5740e77f_715a149c,
    0x00000000_30131198_90d67aab,
    0x00000000_0009e6e9_13dd947e,
    0x00000000_000000c9_fe9cf451,
    0x00000000_00000000_0639d790,
    0x00000000_00000000_00001300,
];
const WIDE_512: [u128; 46] = [
    0xd2a38e7a_3fff4d84_bc396d43,
    0xa69ac6bf_da7ae854_36d0d36e,
    0x7e528772_1ec56d67_2213dd0c,
    0x5b98c2b5_8bb65892_1c1d3424,
    0x3f6302c2_92aec6e1_d2b0d8fb,
    0x29ca7c5c_227d75c3_89072e42,
    0x1a362826_1d416f8c_fb9c5eec,
    0x0f9ecb75_29bb8425_6f3d1adf,
    0x08d5cc61_8b87a754_dd49939d,
    0x04bd2950_59f0dc6e_9a387ccb,
    0x026895ae_d1be6101_dba53116,
    0x0128c0a1_6024e90d_ade813b0,
    0x00872ba1_c37e6d43_6f4c9258,
    0x003a3e52_da6cf6d1_866f2fe3,
    0x0017bb11_0106f01b_bb8c70b9,
    0x000923b0_34c570b5_fecbab40,
    0x00035379_f088e441_2ceba6f8,
    0x000124bc_7681175f_533911f3,
    0x00005f0d_8efb8f9e_345e028d,
    0x00001d24_dc0cc354_3d6d844e,
    0x0000086f_a8d3afb2_c4ebb552,
    0x0000024e_18c1ff02_d4ad724c,
    0x00000098_2c65d88c_fc9fe6f9,
    0x00000025_08266d2a_c7399432,
    0x00000008_80d08bfd_4d2a65b2,
    0x00000001_d7937718_54414f93,
    0x00000000_6060068c_01eb5e1a,
    0x00000000_12943cde_f2f53f4b,
    0x00000000_0360d649_3b0b5d73,
    0x00000000_009450c3_219c4645,
    0x00000000_0017fce7_83b5fdc1,
    0x00000000_0003a8a0_8204c575,
    0x00000000_000086b6_47836773,
    0x00000000_00001245_0836b6e9,
    0x00000000_00000256_1480da58,
    0x00000000_00000048_1c2a537c,
    0x00000000_00000008_327872e6,
    0x00000000_00000000_e0e5f785,
    0x00000000_00000000_16b92b61,
    0x00000000_00000000_022a1926,
    0x00000000_00000000_0031c15b,
    0x00000000_00000000_00043631,
    0x00000000_00000000_00005607,
    0x00000000_00000000_00000677,
    0x00000000_00000000_00000074,
    0x00000000_00000000_00000007,
];
const ZERO_512: [u64; 47] = [
    0xf8831375_cd5a8eff,
    0xea2fcc38_54cf1563,
    0xdcafeace_49857151,
    0xcff73fa1_dc4a41a3,
    0xc3fa4ef0_ca687061,
    0xb8ae466e_ad92e8c9,
    0xae08f380_4422065d,
    0xa400ba06_e0460deb,
    0x9a8c8bb3_aeefbb7d,
    0x91a3dfdb_01cf56e5,
    0x893eabc0_3b58e0ff,
    0x81555b53_68a1d757,
    0x79e0ca59_fb8336a8,
    0x72da3dfc_784edc38,
    0x6c3b5eb3_44f138f2,
    0x65fe328d_1e39ce37,
    0x601d17ca_07eae602,
    0x5a92bfc5_d9134e0f,
    0x555a2a2d_cddbffd4,
    0x506ea07c_cbb3ef57,
    0x4bcbb1ba_44955231,
    0x476d2e77_e24307c2,
    0x434f250a_5b08e976,
    0x3f6dddfa_06ee5c91,
    0x3bc5d8a7_feb7a495,
    0x3853c824_bd2e9463,
    0x35149035_68660a14,
    0x32054285_123d99b5,
    0x2f231bff_676f7006,
    0x2c6b8252_69bc75a4,
    0x29dc0194_f50d51be,
    0x27724a0f_f09547ed,
    0x252c2e28_2c502341,
    0x2307a067_08b2c181,
    0x2102b1a0_22312300,
    0x1f1b8f32_546c597f,
    0x1d508162_81953f96,
    0x1b9fe9ce_a1acc72d,
    0x1a0841f7_b377c486,
    0x188819e1_3d6063d0,
    0x171e16c5_201f4149,
    0x15c8f1da_8f4fe542,
    0x1487772f_155f4c74,
    0x13588490_988cf621,
    0x123b0887_6610621b,
    0x112e015f_56ebde80,
    0x10307c3f_2f9726d3,
];
const ZERO_512_SUBMITTED: [u64; 47] = [
    0xff868492_c56944ef,
    0xfe943a8e_af5010ef,
    0xfda2d647_a374b2ad,
    0xfcb256e3_cb57c2bb,
    0xfbc2bb8a_1f079e2f,
    0xfad40362_645c8bf3,
    0xf9e62d95_2e359bcf,
    0xf8f9394b_dbb63e7b,
    0xf80d25b0_978495ff,
    0xf721f1ee_57087dbb,
    0xf6379d30_d9ab4973,
    0xf54e26a4_a8183a99,
    0xf4658d77_137dab3f,
    0xf37dd0d6_34ceedf1,
    0xf296eff0_ec06e1e7,
    0xf1b0e9f6_df6b3abf,
    0xf0cbbe18_7ad07b37,
    0xefe76b86_eedea22d,
    0xef03f174_30568935,
    0xee214f12_f757f42b,
    0xed3f8396_bea8511f,
    0xec5e8e33_c2fa27cf,
    0xeb7e6e1f_0235383f,
    0xea9f228e_3abf4793,
    0xe9c0aab7_eac59ab1,
    0xe8e305d3_4f871de5,
    0xe8063318_649f3901,
    0xe72a31bf_e3514f3d,
    0xe64f0103_41d4ea3d,
    0xe574a01c_b2a28f9d,
    0xe49b0e47_23c14063,
    0xe3c24abe_3e14a1b3,
    0xe2ea54be_64abce17,
    0xe2132b84_b410ced9,
    0xe13cce4f_0198bcb3,
    0xe0673c5b_dab48751,
    0xdf9274ea_844262db,
    0xdebe773a_f9dfdb2b,
    0xddeb428d_ed3c8bd1,
    0xdd18d624_c56d7c73,
    0xdc473141_9e4120d9,
    0xdb765327_4793fc19,
    0xdaa63b19_44a5e631,
    0xd9d6e85b_cb6ff38f,
    0xd9085a33_c3fafde5,
    0xd83a8fe6_c7b6cd97,
    0xd76d88bb_20d1e361,
];
const SMALL_1024: [u128; 11] = [
    0x6b39cb5a_d8e3d812_4fb78bba,
    0x1365d789_45cb8e8d_85050006,
    0x015408f3_d8860fa9_a5424454,
    0x00085c3f_4b880324_566ef4cc,
    0x00001288_7b7f1e4d_c286efe9,
    0x0000000e_5ef5c2fe_05ec8494,
    0x00000000_03e3797d_c621d2bb,
    0x00000000_00005dea_861f9779,
    0x00000000_00000003_169ebab2,
    0x00000000_00000000_00090faf,
    0x00000000_00000000_00000009,
];
const WIDE_1024: [u128; 44] = [
    0xd0712d47_f90f9acc_ceb47b06,
    0xa26cddea_b9ad4a51_8f901a05,
    0x78bd0970_eb4ff9c2_dc79b2b6,
    0x5561c60f_0456698b_c908e448,
    0x394e7179_cd991446_f1a555c0,
    0x246f163b_92839984_094cf2e6,
    0x15e7e4a5_b66957e8_78828ea9,
    0x0c703bde_784ef6be_f960fb48,
    0x06a98696_fe202db0_52a7fb78,
    0x035cdddb_fd8155f3_021161dd,
    0x019925bb_7b55504a_83d0d0d5,
    0x00b6f908_8f47428c_2940b1e5,
    0x004cf2b3_5de26e7c_cf131bf3,
    0x001e6a51_4627bd52_dfd2098f,
    0x000b4b7a_efdd4745_48f5a3fa,
    0x0003f069_8ead420f_cf69bd48,
    0x00014a2c_bff1c0e1_9a99f37a,
    0x00006576_e7ed9a1c_6f17a08b,
    0x00001d41_f9c3fef0_3ef31a40,
    0x000007ea_22988610_13a1c366,
    0x00000202_15a3b62c_1164c435,
    0x0000007a_5276837b_008fdec4,
    0x0000001b_4a6a06a5_e29b6913,
    0x00000005_b5510f33_74121352,
    0x00000001_1e8679c5_87fda57b,
    0x00000000_34a86d56_360c1689,
    0x00000000_0911e7f2_d4f21b5b,
    0x00000000_0176ca4d_6a42ebce,
    0x00000000_0038b071_b9d23d08,
    0x00000000_000808cb_580d5640,
    0x00000000_0001111e_5d982a58,
    0x00000000_000021fa_5801ba17,
    0x00000000_000003f5_c7aecc73,
    0x00000000_0000006e_af8e32d2,
    0x00000000_0000000b_520557dd,
    0x00000000_00000001_15a2c5b9,
    0x00000000_00000000_18e9e63d,
    0x00000000_00000000_02180f53,
    0x00000000_00000000_002a331a,
    0x00000000_00000000_00031c80,
    0x00000000_00000000_000036fe,
    0x00000000_00000000_0000038d,
    0x00000000_00000000_00000036,
    0x00000000_00000000_00000002,
];
const ZERO_1024: [u64; 45] = [
    0xf7b45ee7_ed167571,
    0xe7e9531c_00854071,
    0xd9200e1b_7ed438f3,
    0xcb482075_7330f56f,
    0xbe5226fa_f839d129,
    0xb22fb9a4_b2a43177,
    0xa6d35b8f_7651422b,
    0x9c306bfe_4942bc57,
    0x923b1851_1a6523e1,
    0x88e84ee0_92232d7f,
    0x802db2b0_615eb66d,
    0x78018fea_61ce136e,
    0x705ad115_ba24fb38,
    0x6930f4fe_08d47a2c,
    0x627c053f_5cd87c94,
    0x5c348d6c_7a31e095,
    0x565392c5_93cd3cd2,
    0x50d28c76_44f297ee,
    0x4bab5c52_2ab7042e,
    0x46d84808_0aa83089,
    0x4253f2c3_f7b047dc,
    0x3e195739_618d2c63,
    0x3a23c20e_6ecf6936,
    0x366ecca2_6d2c4de3,
    0x32f65829_89b2cf97,
    0x2fb68918_60b5db79,
    0x2cabc2da_4e50b82e,
    0x29d2a3cd_bb653aea,
    0x27280181_f0c24311,
    0x24a8e532_42f5cb80,
    0x2252887a_ad7e05ed,
    0x20225242_33e49734,
    0x1e15d3d7_9b125e9c,
    0x1c2ac63d_452be6e7,
    0x1a5f07a1_2e856202,
    0x18b098fe_3b8a71ba,
    0x171d9be4_35210793,
    0x15a45063_fc358351,
    0x1443131d_a551ef41,
    0x12f85b6e_52d441b5,
    0x11c2b9bb_c7a076fc,
    0x10a0d5db_cd347071,
    0x0f916d95_a6f0bc28,
    0x0e93533b_e9646e0e,
    0x0da56c5d_27732280,
];
const SMALL_2048: [u128; 10] = [
    0x66117e58_90ddd5ff_8bc7817a,
    0x0fef0056_50c52244_8f79959e,
    0x00d79aad_d5b94cd4_b90d9c7f,
    0x0003a904_1b3d2d5f_4e2e9ef6,
    0x00000505_661025c7_080ad9bb,
    0x00000002_2983e39c_7821ff61,
    0x00000000_004ab0d5_1ce53e2c,
    0x00000000_00000328_13bf11bb,
    0x00000000_00000000_0ab19f01,
    0x00000000_00000000_00000b58,
];
const WIDE_2048: [u128; 42] = [
    0xce503fb8_2bf9fc6b_88b900fb,
    0x9e65c9dd_51e6535e_46db7bdf,
    0x736c8f43_7bf6d15d_822b6b4b,
    0x4f94bfc5_0a8f7aee_d5a9d95e,
    0x33c73983_b76a6d03_fce5c221,
    0x1fb8c3b4_d77825e8_5c8a9f2f,
    0x124423c9_c9d3367e_8155778f,
    0x09def8d6_0ffc3c9f_e291c7fe,
    0x04ffeedb_a2661cd7_057b4a4f,
    0x025f0053_839e514a_098c7c08,
    0x010d4aaf_5eccd9e6_fe956d82,
    0x006fad4d_c98a463c_153db316,
    0x002b43da_043be9c4_a3cf5e51,
    0x000fa65d_2de92b55_0059f8d0,
    0x00054875_70288c23_c20db91f,
    0x0001a9eb_320acc2c_8f6199b4,
    0x00007d16_2aad04bd_ccdcfcdf,
    0x0000223f_be857857_1acf4e95,
    0x000008bd_84aed6d2_fb61f525,
    0x00000214_185c3df1_8050062c,
    0x00000075_e36133e2_8ce91cc5,
    0x00000018_545de7c6_8a9820ce,
    0x00000004_ad2a532a_f7fa81d7,
    0x00000000_d648da3f_ad547ca0,
    0x00000000_23b6a4bf_33e40e56,
    0x00000000_058aa1c6_7188ac8f,
    0x00000000_00cceb4e_86ca6c0e,
    0x00000000_001b8da0_7d1db494,
    0x00000000_000372c4_09ac00bf,
    0x00000000_000066d2_b972999b,
    0x00000000_00000b25_636b064c,
    0x00000000_0000011f_d6ede1ad,
    0x00000000_0000001b_04fc46a2,
    0x00000000_00000002_5c2b98f5,
    0x00000000_00000000_311a1c8e,
    0x00000000_00000000_03b683de,
    0x00000000_00000000_0042df2f,
    0x00000000_00000000_00046081,
    0x00000000_00000000_00004439,
    0x00000000_00000000_000003dc,
    0x00000000_00000000_00000033,
    0x00000000_00000000_00000002,
];
const ZERO_2048: [u64; 43] = [
    0xf6e0825e_7813b817,
    0xe5983fed_29e5e463,
    0xd585b43a_287a0623,
    0xc69330eb_1b2149e5,
    0xb8ac8c31_04cb30f1,
    0xabbf0595_32c294b9,
    0x9fb92cad_9be6c017,
    0x948ac996_9105667d,
    0x8a24c712_027acf95,
    0x80791e2e_d7f1e3c7,
    0x777ac35c_e7fb0a54,
    0x6f1d94d4_093b73d3,
    0x67564a36_7fd11037,
    0x601a6558_b3ef7946,
    0x59602419_a9563867,
    0x531e7339_1fcf5674,
    0x4d4ce219_9adca33f,
    0x47e3975d_ccfaaa96,
    0x42db4652_0ad27c13,
    0x3e2d2513_7dec1ab8,
    0x39d2e367_ce820538,
    0x35c6a238_e9d2947e,
    0x3202eba9_68348d11,
    0x2e82abb6_e38cbf8f,
    0x2b412960_4e8e8dc4,
    0x283a0047_0f26313f,
    0x25691ac2_44098095,
    0x22caac5c_376dea47,
    0x205b2cb2_901ce178,
    0x1e1752b2_575244ee,
    0x1bfc1029_65bbb00a,
    0x1a068da7_3cff8510,
    0x183426a7_be95e626,
    0x16826602_942070da,
    0x14ef029a_7a3f9c37,
    0x1377dc47_f504a7f8,
    0x121af8fb_454605be,
    0x10d68211_c0a4f1ba,
    0x0fa8c1da_f3638445,
    0x0e90214a_33a7bdaf,
    0x0d8b25d1_89a77cf8,
    0x0c986f63_081cfdbe,
    0x0bb6b695_e41ab500,
];
