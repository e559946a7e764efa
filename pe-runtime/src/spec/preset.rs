//! The tables of known models by name, each with its source.

use crate::spec::Spec;
use crate::spec::amplitude::Amplitude;
use crate::spec::choices::{Columns, Layout, Odd, Order, Pairing};

const PAPER: Spec = Spec::new(2);
const EVEN: Spec = PAPER.odd(Odd::Reject);
const HALVES: Spec = PAPER.layout(Layout::Halves);
const SHIFTED: Spec = HALVES.freq_shift(1.0);

presets! {
    /// The table of a known model or library, as parameters.
    ///
    /// A preset fixes every parameter except the sizes, unless its description says otherwise. It describes the
    /// mathematical table. The library's own table is computed in `f32` and differs by its rounding errors, up to 1e-4
    /// in Whisper's 1500 rows.
    ///
    /// In the macro, a key given with a preset overrides it, as in `preset = adm, scale = 1000`. At run time, a method
    /// called after [`Spec::preset`] does the same.
    ///
    /// In the formulas, `h` is half of `d_model`, rounded down, and `k` counts pairs from 0.
    ///
    /// # Examples
    ///
    /// ```
    /// use posenc::{Preset, Spec};
    ///
    /// let spec = Spec::preset(Preset::Musicgen, 1024);
    /// assert_eq!(
    ///     spec.to_string(),
    ///     "sinusoidal_table!(seq_len, 1024, freq_shift = 1.0, layout = halves, order = cos_sin, odd = zero)",
    /// );
    /// assert_eq!(Preset::Musicgen.name(), "musicgen");
    /// ```
    ///
    #[doc = include_str!("presets.md")]
    #[doc(alias("model", "checkpoint"))]
    #[non_exhaustive]
    #[derive(Default)]
    Preset(spec: Spec<'static>) {
        /// The formula of the paper: `10000^(-2k/d)`, sine and cosine side by side.
        ///
        /// Vaswani et al., [*Attention Is All You Need*](https://arxiv.org/abs/1706.03762), section 3.5. The same table
        /// is used by the PyTorch tutorial, the Annotated Transformer, ESPnet, wenet, SpeechBrain and burn. Most of
        /// their code fails for an odd width, which the paper does not cover; here an odd width ends in one more sine.
        ///
        /// The code used for the paper computes a different table: [`Tensor2Tensor`](Self::Tensor2Tensor).
        #[default]
        Paper = "paper" | "annotated_transformer" | "burn" | "pytorch" | "speechbrain" | "wenet" {
            spec: PAPER,
            models: "the paper, PyTorch's tutorial, Annotated Transformer, ESPnet, wenet, SpeechBrain, burn",
        }

        /// The paper's own code: `10000^(-k/(h-1))`, sines, then cosines, a last column of zeros if odd.
        ///
        /// [`get_timing_signal_1d`](https://github.com/tensorflow/tensor2tensor/blob/master/tensor2tensor/layers/common_attention.py).
        /// The same table is used by the TensorFlow models, flax's examples, AllenNLP, MaxText and TimesFM.
        ///
        /// Its `max_timescale` is `base` only if `min_timescale` is 1: the code multiplies the frequencies by
        /// `min_timescale`, although a shortest wavelength should divide them. So `min_timescale = m` is `scale = m`
        /// with `base = max_timescale / m`.
        Tensor2Tensor = "tensor2tensor" | "allennlp" | "maxtext" | "t2t" | "timesfm" {
            spec: SHIFTED.odd(Odd::Zero),
            models: "tensor2tensor (the paper's code), TensorFlow models, AllenNLP, MaxText, TimesFM",
        }

        /// [`Tensor2Tensor`](Self::Tensor2Tensor)'s numbers, to which you add a row of zeros for the padding token.
        ///
        /// Set `zero_row` to the `padding_idx`, typically 1. If you do not set it, no row is zeroed, as with a
        /// `padding_idx` of `None`.
        ///
        /// [`SinusoidalPositionalEmbedding`](https://github.com/facebookresearch/fairseq/blob/main/fairseq/modules/sinusoidal_positional_embedding.py).
        /// The same table is used by Speech2Text, `M2M100`, XGLM, NLLB and `FSMT` in Hugging Face. Row `i` is position
        /// `i`, and tokens begin at row `padding_idx + 1`, so the table needs `padding_idx + 1` more rows than the
        /// longest input has tokens. In fairseq2, row 0 is the row of zeros and row 1 is position 0: `start = -1,
        /// zero_row = 0`.
        Fairseq = "fairseq" | "fsmt" | "m2m_100" | "nllb" | "nllb_moe" | "seamless_m4t" | "speech_to_text" | "xglm" {
            spec: SHIFTED.odd(Odd::Zero),
            models: "fairseq, M2M100, XGLM, NLLB, Speech2Text, FSMT, SeamlessM4T",
            note: "typically with --zero-row",
            given: &[("zero_row", "1")],
        }

        /// Whisper's encoder: `10000^(-k/(h-1))`, sines, then cosines; even widths only.
        ///
        /// The audio encoder's table has 1500 rows. The text decoder's positions are learned.
        ///
        /// [`sinusoids`](https://github.com/openai/whisper/blob/main/whisper/model.py). The same table is used by the
        /// audio encoders of `Qwen2.5-Omni` and `Qwen3-Omni`, and by candle's Whisper.
        Whisper = "whisper" | "qwen2_5_omni" | "qwen_omni" {
            spec: SHIFTED.odd(Odd::Reject),
            models: "Whisper's encoder (1500 rows), Qwen-Omni's audio",
            rows: 1500,
        }

        /// The same table as [`Paper`](Self::Paper).
        ///
        /// [`create_sinusoidal_embeddings`](https://github.com/huggingface/transformers/blob/main/src/transformers/models/distilbert/modeling_distilbert.py).
        /// The same table is used by XLM, FlauBERT and VideoMAE. The checkpoint has 512 rows.
        Distilbert = "distilbert" | "flaubert" | "videomae" | "xlm" {
            spec: PAPER,
            models: "DistilBERT, XLM, FlauBERT, VideoMAE",
        }

        /// `10000^(-2k/d)`, sines, then cosines; an odd width has one more sine.
        ///
        /// [`MarianSinusoidalPositionalEmbedding`](https://github.com/huggingface/transformers/blob/main/src/transformers/models/marian/modeling_marian.py).
        /// The same table is used by Pegasus, RoFormer, Informer and Autoformer in Hugging Face, and by CTranslate2,
        /// which stores this table when it converts a Marian model.
        ///
        /// The original Marian has a different table, [`MarianNmt`](Self::MarianNmt), with exponents `k/(h-1)`. For
        /// `d_model` 512 the two differ by up to 0.71 within 512 positions. Models converted to Hugging Face run with
        /// this one.
        HfMarian = "hf_marian" | "autoformer" | "informer" | "pegasus" | "roformer" | "time_series_transformer" {
            spec: HALVES,
            models: "Marian in Hugging Face, Pegasus, RoFormer, Informer, Autoformer",
        }

        /// Marian itself: `10000^(-k/(h-1))`, sines, then cosines; even widths only.
        ///
        /// [`SinusoidalPositionEmbeddings`](https://github.com/marian-nmt/marian-dev/blob/master/src/tensors/cpu/tensor_operators.cpp).
        /// Marian trains its models with this table, not with [`HfMarian`](Self::HfMarian). It multiplies the
        /// embeddings by `sqrt(d)` before it adds the table.
        MarianNmt = "marian_nmt" {
            spec: SHIFTED.odd(Odd::Reject),
            models: "Marian itself",
        }

        /// [`Whisper`](Self::Whisper)'s numbers from position 1 on: row 0 is position 1.
        ///
        /// [`SinusoidalPositionEncoder`](https://github.com/OpenNMT/OpenNMT-tf/blob/master/opennmt/layers/position.py),
        /// and [CTranslate2](https://github.com/OpenNMT/CTranslate2/blob/master/src/layers/common.cc), which runs its
        /// models. The positions given to [`encode`](Spec::encode) count from 1 as well.
        OpennmtTf = "opennmt_tf" | "ctranslate2" {
            spec: SHIFTED.odd(Odd::Reject).start(1),
            models: "OpenNMT-tf, CTranslate2",
        }

        /// `10000^(-k/(h-1))`, cosines, then sines, a last column of zeros if odd.
        ///
        /// [`MusicgenSinusoidalPositionalEmbedding`](https://github.com/huggingface/transformers/blob/main/src/transformers/models/musicgen/modeling_musicgen.py)
        /// and audiocraft's
        /// [`create_sin_embedding`](https://github.com/facebookresearch/audiocraft/blob/main/audiocraft/modules/transformer.py).
        Musicgen = "musicgen" | "audiocraft" {
            spec: SHIFTED.order(Order::CosSin).odd(Odd::Zero),
            models: "MusicGen, audiocraft",
        }

        /// Diffusion timesteps: `10000^(-k/(h-1))`, sines, then cosines, a last column of zeros if odd.
        ///
        /// Ho et al., [*Denoising Diffusion Probabilistic Models*](https://arxiv.org/abs/2006.11239), and diffusers'
        /// [`get_timestep_embedding`](https://github.com/huggingface/diffusers/blob/main/src/diffusers/models/embeddings.py)
        /// with its default arguments. `downscale_freq_shift` is [`freq_shift`](Spec::freq_shift), `flip_sin_to_cos` is
        /// [`order`](Spec::order) `cos_sin`, `max_period` is [`base`](Spec::base) and `scale` is
        /// [`scale`](Spec::scale). Most diffusers pipelines set the shift to 0 and flip the order, which gives
        /// [`Adm`](Self::Adm).
        Ddpm = "ddpm" {
            spec: SHIFTED.odd(Odd::Zero),
            models: "DDPM, diffusers' get_timestep_embedding by default",
        }

        /// Diffusion timesteps: `10000^(-k/h)`, cosines, then sines, a last column of zeros if odd.
        ///
        /// Dhariwal and Nichol, [*Diffusion Models Beat GANs on Image Synthesis*](https://arxiv.org/abs/2105.05233),
        /// [`timestep_embedding`](https://github.com/openai/guided-diffusion/blob/main/guided_diffusion/nn.py). The
        /// same table is used by latent diffusion, DiT, Stable Diffusion 3 and ggml. Flux has timesteps from 0 to 1:
        /// add `scale = 1000`.
        Adm = "adm" | "dit" | "ggml" | "guided_diffusion" | "sdxl" | "stable_diffusion" {
            spec: HALVES.order(Order::CosSin).odd(Odd::Zero),
            models: "guided-diffusion's timestep_embedding, latent diffusion, DiT, Stable Diffusion, ggml",
            note: "Flux with --scale 1000",
        }

        /// [`Paper`](Self::Paper) times `1 / sqrt(d)`; even widths only.
        ///
        /// [`FixedPositionalEncoding`](https://github.com/NVIDIA/NeMo/blob/main/nemo/collections/asr/modules/transformer/transformer_modules.py).
        NemoFixed = "nemo_fixed" {
            spec: EVEN.amplitude(Amplitude::RsqrtD),
            models: "NeMo's FixedPositionalEncoding",
        }

        /// `10000^(-k/h)`, sines, then cosines, times `1 / sqrt(d)`; even widths only.
        ///
        /// [`ScaledSinusoidalEmbedding`](https://github.com/lucidrains/x-transformers/blob/main/x_transformers/x_transformers.py).
        /// The amplitude is only the initial value of a learned parameter. For a trained model, set the learned value.
        XTransformers = "x_transformers" {
            spec: HALVES.odd(Odd::Reject).amplitude(Amplitude::RsqrtD),
            models: "x-transformers",
            note: "its amplitude is learned",
        }

        /// `10000^(-k/(h-1))`, sines, then cosines, times `sqrt(2/d)`; even widths only.
        ///
        /// [`nn.SinusoidalPositionalEncoding`](https://github.com/ml-explore/mlx/blob/main/python/mlx/nn/layers/positional_encoding.py)
        /// with its default arguments. `max_freq` is [`scale`](Spec::scale), `max_freq / min_freq` is
        /// [`base`](Spec::base), `cos_first` is [`order`](Spec::order) `cos_sin`, `full_turns` is
        /// `scale = 6.283185307179586`, and its `scale` is [`amplitude`](Spec::amplitude).
        Mlx = "mlx" {
            spec: SHIFTED.odd(Odd::Reject).amplitude(Amplitude::Sqrt2OverD),
            models: "MLX",
        }

        /// The same table as [`Paper`](Self::Paper).
        ///
        /// [`SinePositionEncoding`](https://github.com/keras-team/keras-hub/blob/master/keras_hub/src/layers/modeling/sine_position_encoding.py).
        /// `max_wavelength` is [`base`](Spec::base), `start_index` is [`start`](Spec::start).
        KerasHub = "keras_hub" {
            spec: PAPER,
            models: "Keras Hub",
        }

        /// `10000^(-k/h)`, sines, then cosines; even widths only, rows that descend to position 0.
        ///
        /// Set `start` to `klen - 1`, where `klen` is the length of memory and segment together.
        ///
        /// Dai et al., [*Transformer-XL*](https://arxiv.org/abs/1901.02860),
        /// [`PositionalEmbedding`](https://github.com/kimiyoung/transformer-xl/blob/master/pytorch/mem_transformer.py),
        /// for positions `klen - 1` to 0. XLNet's rows begin at `klen`, one higher. `clamp_len` is not supported.
        TransformerXl = "transformer_xl" {
            spec: HALVES.odd(Odd::Reject).descending(),
            models: "Transformer-XL, XLNet",
            note: "needs --start",
            given: &[("start", "511")],
        }

        /// [`Paper`](Self::Paper) for even widths, with rows that descend from `n - 1` to `-(n - 1)`.
        ///
        /// Set `start = n - 1` and make `2n - 1` rows.
        ///
        /// [`RelPositionalEncoding`](https://github.com/espnet/espnet/blob/master/espnet/nets/pytorch_backend/transformer/embedding.py)
        /// of ESPnet. The same table is used by NeMo's Conformer, `Wav2Vec2-Conformer` and SeamlessM4T. SpeechBrain has
        /// the same rows, but takes the distance without its sign.
        ConformerRel = "conformer_rel" {
            spec: EVEN.descending(),
            models: "Conformer (ESPnet, NeMo), Wav2Vec2-Conformer",
            note: "needs --start n-1 and 2n-1 rows",
            given: &[("start", "256")],
        }

        /// The paper's formula in the form of a notebook, which writes `omega_0` for `1 / base`.
        ///
        /// Column `j` is the sine or cosine of `x omega_0^(2 floor(j/2) / d)`. Source: F. Qureshi, *Positional encoding
        /// using Sine and Cosine*. The table is the same as [`Paper`](Self::Paper).
        Omega0 = "omega_0" {
            spec: PAPER,
            models: "notebooks that write omega_0 for 1 / base",
        }

        /// Sines alone: `sin(x omega_0^(j/d))` in column `j`, where `omega_0` is `1 / base`.
        ///
        /// The notebook of [`Omega0`](Self::Omega0) begins with such codes. Its code of two sines has 2 columns,
        /// `scale = 0.015625, base = 0.015625` (1/64). If the periods halve from column to column, set `frequencies`.
        SineCodes = "sine_codes" {
            spec: PAPER.columns(Columns::Sin),
            models: "notebooks with sines alone",
        }

        /// A separate exponent for each column: `sin(p / 10000^(2i/d))` and `cos(p / 10000^((2i + 1)/d))`.
        ///
        /// Several texts print the formula this way, but their code has equal exponents in each pair, like the paper.
        /// This preset is for comparison.
        Unpaired = "unpaired" {
            spec: PAPER.pairing(Pairing::Unpaired),
            models: "texts that give each column an exponent of its own",
        }

        /// The list form: `p / 10000^(2 floor(j/2) / d)` for every column `j`, then sine and cosine in turn.
        ///
        /// [`sinusoid_table`](https://github.com/jadore801120/attention-is-all-you-need-pytorch/blob/master/transformer/Models.py)
        /// of a well-known PyTorch port, with 200 rows. The numbers are [`Paper`](Self::Paper)'s; an odd width ends
        /// in one more sine.
        ListForm = "list_form" {
            spec: PAPER,
            models: "a well-known PyTorch port that makes a list of quotients",
        }
    }

    elsewhere {
        "codegen" [HfMarian] => "`hf_marian` with `d_model` equal to `rotary_dim`";
        "diffusers" [Adm, Ddpm] => "`adm` for its UNets (flip_sin_to_cos, shift 0), or `ddpm` for the defaults of its function";
        "espnet" [Paper, ConformerRel] => "`paper`, or `conformer_rel` for its Conformer";
        "flux" [Adm; "scale" = "1000"] => "`adm` with `scale = 1000`";
        "gptj" [HfMarian] => "`hf_marian` with `d_model` equal to `rotary_dim`";
        "marian" [HfMarian, MarianNmt] => "`hf_marian` for Marian in Hugging Face, or `marian_nmt` for Marian itself";
        "nemo" [NemoFixed, ConformerRel] => "`nemo_fixed`, or `conformer_rel` for its Conformer";
        "rope" [] => "`rotary_table!`, `Rope` or `posenc rope`";
        "rotary" [] => "`rotary_table!`, `Rope` or `posenc rope`";
        "xlnet" [TransformerXl; "start" = "512"] => "`transformer_xl` with a `start` one higher";
    }
}

impl Spec<'static> {
    /// Creates the encoding of a model, `d_model` columns wide.
    ///
    /// [`Preset`] describes the other parameters. Parameters set afterwards override the preset.
    ///
    /// # Examples
    ///
    /// ```
    /// # use posenc::{Layout, Preset, Spec};
    /// let whisper = Spec::preset(Preset::Whisper, 384).table::<f32>(1500)?;
    /// assert_eq!(whisper[(0, 192)], 1.0); // the cosines begin halfway
    ///
    /// let interleaved = Spec::preset(Preset::Whisper, 384).layout(Layout::Interleaved).table::<f32>(1500)?;
    /// assert_eq!(interleaved[(0, 1)], 1.0);
    /// # Ok::<(), posenc::SpecError>(())
    /// ```
    pub const fn preset(preset: Preset, d_model: usize) -> Self {
        let mut spec = preset.spec();
        spec.parameters.d_model = d_model;
        spec
    }
}
