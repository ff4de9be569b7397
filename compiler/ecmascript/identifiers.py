"""Which characters may stand in the name of a group.

ECMAScript takes an IdentifierName there: ID_Start, `$` or `_` first, then ID_Continue, `$`, U+200C and U+200D
too. Python has neither set (`str.isidentifier` asks for XID_Start and XID_Continue, and its Unicode version
differs from release to release), so they are spelt out here as Node 20.20.2 (Unicode 17) has them: the tests
ask Node about every code point again.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache
from itertools import accumulate

_RUNS = (
    # From U+0000 on, how many code points in a row are: n = neither, s = start or part, c = part only.
    "36n1s11n10c7n26s4n1s1n26s47n1s10n1s1n1c2n1s5n23s1n31s1n458s4n12s14n5s7n1s1n1s17n112c5s1n2s2n4s1n1s6n1s"
    "1c3s1n1s1n20s1n83s1n139s1n5c2n166s1n38s2n1s6n41s8n45c1n1c1n2c1n2c1n1c8n27s4n4s29n11c5n43s31c4n2s1c99s"
    "1n1s7c2n6c2s2c1n4c2s10c3s2n1s16n1s1c30s27c2n89s11c1s14n10c33s9c2s4n1s2n1c2n22s4c1s9c1s3c1s5c18n25s3c4n"
    "11s5n24s1n7s7n9c42s24c1n33c54s3c1s18c1s7c10s2c2n10c1n16s3c1n8s2n2s2n22s1n7s1n1s3n4s2n1c1s7c2n2c2n3c1s"
    "8n1c4n2s1n3s2c2n10c2s10n1s1n1c2n3c1n6s4n2s2n22s1n7s1n2s1n2s1n2s2n1c1n5c4n2c2n3c3n1c7n4s1n1s7n12c3s1c"
    "11n3c1n9s1n3s1n22s1n7s1n2s1n5s2n1c1s8c1n3c1n3c2n1s15n2s2c2n10c9n1s6c1n3c1n8s2n2s2n22s1n7s1n2s1n5s2n1c"
    "1s7c2n2c2n3c7n3c4n2s1n3s2c2n10c1n1s16n1c1s1n6s3n3s1n4s3n2s1n1s1n2s3n2s3n3s3n12s4n5c3n3c1n4c2n1s6n1c14n"
    "10c16n5c8s1n3s1n23s1n16s2n1c1s7c1n3c1n4c7n2c1n3s1n2s2n2s2c2n10c16n1s3c1n8s1n3s1n23s1n10s1n5s2n1c1s7c1n"
    "3c1n4c7n2c5n3s1n2s2c2n10c1n2s1c12n4c9s1n3s1n41s2c1s7c1n3c1n4c1s5n3s1c7n3s2c2n10c10n6s1n3c1n18s3n24s1n"
    "9s1n1s2n7s3n1c4n6c1n1c1n8c6n10c2n2c13n48s1c2s7c5n7s8c1n10c39n2s1n1s1n5s1n24s1n1s1n10s1c2s9c1s2n5s1n1s"
    "1n7c1n10c2n4s32n1s23n2c6n10c11n1c1n1c1n1c4n2c8s1n36s4n20c1n2c5s11c1n36c9n1c57n43s20c1s10c6n6s4c4s3c1s"
    "3c2s7c3s4c13s12c1s15c2n38s1n1s5n1s2n43s1n333s1n4s2n7s1n1s1n4s2n41s1n4s2n33s1n4s2n7s1n1s1n4s2n15s1n57s"
    "1n4s2n67s2n3c9n9c14n16s16n86s2n6s3n620s2n17s1n26s5n75s3n11s7n18s4c9n19s3c11n18s2c12n13s1n3s1n2c12n52s"
    "32c3n1s4n1s1c2n10c33n3c1n11c6n89s7n41s1c1s5n70s10n31s1n12c4n12c10n10c30s2n5s11n44s4n26s6n11c37n23s5c4n"
    "53s10c1n29c2n11c6n10c13n1s8n14c1n31c2n12c20n5c47s17c8s3n10c17n9c12n3c30s13c2s10c44s14c12n36s20c8n10c3n"
    "3s10c36s2n11s5n43s2n3s16n3c1n21c4s1c6s1c2s3c1s5n192s64c278s2n6s2n38s2n6s2n8s1n1s1n1s1n1s1n31s2n53s1n7s"
    "1n1s3n3s1n7s3n4s2n6s4n13s5n3s1n7s15n2c49n2c19n1c28n1s13n1s16n13s51n13c4n1c3n12c17n1s4n1s2n10s1n1s2n6s"
    "6n1s1n1s1n1s1n16s2n4s5n5s4n1s17n41s2679n229s6n4s3c2s12n38s1n1s5n1s2n56s7n1s15n1c23s9n7s1n7s1n7s1n7s1n"
    "7s1n7s1n7s1n7s1n32c517n3s25n9s6c1n5s2n5s4n86s2n2c5s1n90s1c4s5n43s1n94s17n32s48n16s512n6592s64n22157s"
    "67n46s2n269s3n16s10c2s20n47s1c4n10c1n31s2c80s2c37n9s2n103s2n82s20n17s1c3s1c4s1c23s5c4n1c19n52s12n2c50s"
    "18c10n10c6n18c6s3n1s1n2s11c28s8c2n23s13c12n29s3n4c47s14c14n1s10c6n5s1c10s10c5s1n41s14c9n3s1c8s2c2n10c"
    "6n23s3n1s3c50s1c1s3c2s2c5s2c1s1c1s24n3s2n11s5c2n3s2c10n6s2n6s2n6s9n7s1n7s1n43s1n14s6n115s8c1n2c2n10c6n"
    "11172s12n23s4n49s8452n366s2n106s38n7s12n5s5n1s1c10s1n13s1n5s1n1s1n2s1n2s1n108s33n363s18n64s2n54s40n12s"
    "4n16c16n16c3n2c24n3c32n5s1n135s19n10c7n26s4n1c1n26s10n1c89s3n6s2n6s2n6s2n3s35n12s1n26s1n19s1n2s1n15s2n"
    "14s34n123s69n53s136n1c130n29s3n49s15n1c31n32s13n30s5n38s5c5n30s2n36s4n8s1n5s42n158s2n10c6n36s4n36s4n"
    "40s8n52s12n11s1n15s1n7s1n2s1n11s1n15s1n7s1n2s3n52s12n311s9n22s10n8s24n6s1n42s1n9s69n6s2n1s1n44s1n2s3n"
    "1s2n23s10n23s9n31s65n19s1n2s10n22s10n26s6n26s38n56s6n2s64n1s3c1n2c5n4c4s1n3s1n29s2n3c4n1c32n29s3n29s"
    "35n8s1n28s2c25n54s10n22s10n19s13n18s110n73s55n51s13n51s13n36s4c8n10c6n10c28s3n5c1n23s250n42s1n2c3n2s"
    "16n6s50n6c29s10n1s8n22s11c31n18s4c42n21s27n23s9n3c53s15c31n11c2s2c1s9n4c45s11c7n1c13n25s7n10c6n3c36s"
    "14c1n10c4n1s2c1s8n35s1c2n1s9n3c48s14c4s4n4c1n12c1s1n1s35n18s1n25s12c6n1c2s1c62n7s1n1s1n4s1n15s1n10s7n"
    "47s12c5n10c6n4c1n8s2n2s2n22s1n7s1n2s1n5s1n2c1s7c2n2c2n3c2n1s6n1c5n5s2c2n7c3n5c11n10s1n1s2n1s1n38s1n1s"
    "9c1n1c2n1c1n4c1n5c1s1c1s13n2c29n53s18c4s5n10c4n1c3s30n48s20c2s1n1s8n10c166n47s7c2n9c23n4s2c34n48s17c3n"
    "1s11n10c38n43s13c1s7n10c6n20c28n27s2n15c4n10c6n7s185n44s15c101n64s10c21n8s2n1s2n8s1n2s1n24s6c1n2c2n4c"
    "1s1c1s2c12n10c70n8s2n39s7c2n7c1s1n1s1c27n1s10c40s7c1s4c8n1c8n1s11c46s16c3n1s18n73s103n8c88n33s15n10c6n"
    "9s1n37s8c1n8c1s15n10c24n30s2n22c1n14c73n7s1n2s1n38s6c3n1c1n2c1n7c1s1c8n10c6n6s1n2s1n32s5c1n2c1n5c1s7n"
    "10c6n44s4n10c246n19s4c9n2c1s1c13s1n34s7c3n5c13n11c85n1s79n922s102n111s17n196s2636n97s15n1072s16n1c6s"
    "15c10n3995s5n583s6841n30s28c1734n569s7n31s1n10c6n79s1n10c6n30s2n5c11n48s7c9n4s12n10c9n21s5n19s432n45s"
    "3n10c198n64s32n25s2n25s44n75s4n1c1s55c7n4c13s64n2s1n1s1c11n2c5s9n7382s41n32s97n115s8701n4s1n7s1n2s1n"
    "291s15n1s29n3s2n1s14n4s8n396s2308n107s5n13s3n9s7n10s3n2c4177n10c518n46c2n23c542n5c3n6c8n8c2n7c30n4c"
    "148n3c443n85s1n71s1n2s2n1s2n2s2n4s1n12s1n1s1n7s1n65s1n4s2n8s1n7s1n28s1n4s1n5s1n1s3n7s1n340s2n25s1n25s"
    "1n31s1n25s1n31s1n25s1n31s1n25s1n31s1n25s1n8s2n50c512n55c4n50c8n1c14n1c22n5c1n15c1104n31s6n6s213n7c1n"
    "17c2n7c1n2c1n5c5n62s33n1c112n45s3n7c7s2n10c4n1s321n30s1c17n44s14c470n28s14c214n30s2c1s10c197n31s1n3s1c"
    "2s1c7s2c5s1c8n2s224n7s1n4s1n2s1n15s1n197s11n7c41n68s7c1s4n10c1190n4s1n27s1n2s1n1s2n1s1n10s1n4s1n1s1n1s"
    "6n1s4n1s1n1s1n1s1n3s1n2s1n1s2n1s1n1s1n1s1n1s1n1s1n2s1n1s2n4s1n7s1n4s1n4s1n1s1n10s1n17s5n3s1n5s1n17s"
    "3380n10c1030n42720s32n4382s2n5774s2n7473s15n622s2466n542s1506n4939s5n8490s707718n240c196112n"
)


@cache
def _decoded() -> tuple[list[int], str]:
    """The first code point and the letter of every run; worked out when first a name has to be read."""
    letters = "".join(character for character in _RUNS if not character.isdigit())
    lengths = [int(length) for length in _RUNS.translate(dict.fromkeys(map(ord, "nsc"), " ")).split()]
    return list(accumulate(lengths, initial=0))[:-1], letters


def _kind(code_point: int) -> str:
    starts, letters = _decoded()
    return letters[bisect_right(starts, code_point) - 1]


def is_identifier_start(code_point: int) -> bool:
    return _kind(code_point) == "s"


def is_identifier_part(code_point: int) -> bool:
    return _kind(code_point) != "n"
