"""Language models: fetched or trained here, loaded from a folder, and what they score."""

from typing import Literal, get_args

ENCODER, MASKED, CAUSAL = "encoder", "masked", "causal"  # kinds of networks
Precision = Literal["float32", "bfloat16"]  # of matrix products, in training and in scoring
Masking = Literal["whole_word", "token"]
PRECISIONS, MASKINGS = get_args(Precision), get_args(Masking)
WHERE_BFLOAT16_PAYS = (
    "bfloat16 pays on GPUs, on Intel's processors with AMX and on AMD's with AVX512-BF16"
)
