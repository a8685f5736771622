"""The 2,000 strings for the tokenizer tests, written or generated for this project.

A seeded generator: the same strings on each run. Each kind below aims at one rule that
byte-pair tokenizers get wrong: where words split (letters, digits, punctuation, white space,
contractions), which bytes merge, and that the text of a special token is only text.
"""

import random

SEED = 20261129
COUNT = 2000

ENGLISH = [
    "The Seller shall indemnify the Purchaser against all Losses arising "
    "from a breach of Clause 7.",
    "Subject to Clause 3.2(b), the aggregate liability of the Seller "
    "shall not exceed £12,500,000.",
    "\"Losses\" means all losses, liabilities, costs (including legal costs) and expenses.",
    "Neither party may assign this Agreement without the other party's prior written consent.",
    "The Purchaser may terminate at any time before Completion by notice in writing.",
    "This Agreement is governed by, and shall be construed in accordance with, English law.",
    "Notices must be sent to 14 Harbour Row, Bristol BS1 4XX; a fax isn't valid service.",
    "Interest accrues at 4.75% per annum, compounding quarterly, from the due date.",
    "If the Long-Stop Date passes, either party's obligations lapse (save "
    "for accrued rights).",
    "Section 3.02 and Article III survive termination for a period of "
    "twenty-four (24) months.",
    "the parties' advisers' fees", "It wasn't the Buyer's fault, they'd say; we'll see.",
    "IN WITNESS WHEREOF the parties have executed this deed on the date first above written.",
    "Schedule 2, Part A, paragraph (iv): Excluded Assets & Liabilities.",
    "a right of first refusal/right of first offer", "force majeure, pro rata, inter alia",
    "Completion shall take place at 10:00 a.m. (London time) on the Completion Date.",
    "The cap does not apply to fraud, wilful default, or death/personal injury.",
    "No waiver is effective unless it's in writing. Time is of the essence!",
    "EBITDA for FY2025 was restated from $3.1m to $2.87m --- a 7.4% reduction...",
]

CHINESE = [
    "卖方应就因违反第七条而产生的一切损失向买方作出赔偿。",
    "在不违反第三条第（二）款的前提下，卖方的赔偿责任总额不超过人民币一千二百万元。",
    "“损失”指任何损失、责任、费用（包括律师费）及开支。",
    "未经对方事先书面同意，任何一方不得转让本协议。",
    "买方可在交割日之前随时以书面通知的方式终止本协议。",
    "本协议受中华人民共和国法律管辖并据其解释。",
    "通知应寄至：杭州市湖滨路18号，邮编310006；传真无效。",
    "逾期付款应按年利率4.75%计息，自到期日起算。", "第十一条　终止",
    "甲方：　　　　　　　　（盖章）", "该等赔偿以实际支付的对价为限；",
    "依照第三条的规定，双方应于2026年11月29日前完成交割。",
    "附件二、甲部、第（四）项：除外资产",
    "不可抗力系指不能预见、不能避免且不能克服的客观情况。",
    "违约金为合同总价的百分之五（5％）。", "繁體中文：本契約之解釋以臺灣法律為準據法。",
    "條款、條件與附錄", "「甲方」應於三十日內付款，逾期者……",
]

CODE = [
    "for (size_t i = 0; i < n; ++i) { sum += x[i] * y[i]; }\n",
    "def cap(losses: float, limit: float = 1e6) -> float:\n    return min(losses, limit)\n",
    "SELECT clause, page FROM spans WHERE mass > 0.05 ORDER BY mass DESC LIMIT 10;",
    "#include <cstdint>\n\ntemplate <class T>\nconcept Tile = requires(T t) { t.rows(); };\n",
    "\t\tif (!ok)\n\t\t\treturn -1; /* not found */\n\n\n}\n",
    "https://example.org/a/b?q=%E7%AC%AC&x=1#clause-3.2",
    "C:\\Users\\me\\contract (final).docx",
    "{\"verdict\": \"no_basis\", \"citations\": [], \"mass\": 1.5e-07}",
    "x == y && !(a || b) ? p->q : ~r", "<p class=\"c\">1.1&nbsp;Definitions</p>",
    "git rebase --onto main~3 -i HEAD^^", "$HOME/.cache/*.gguf",
    "fn main() -> Result<(), Box<dyn Error>> { Ok(()) }",
    "@decorator\nasync def f(*a, **kw): ...",
    "0x1F 0b1010 1_000_000 3.14e-10 .5 5. 1..2 v1.2.3-rc4", "a+b-c*d/e%f^g&h|i<<j>>k",
    "_private __dunder__ camelCase PascalCase SCREAMING_SNAKE kebab-case", "// ---- 8< ----",
]

EMOJI = [
    "😀", "👍🏽", "👩‍⚖️", "👨‍👩‍👧‍👦", "🏳️‍🌈", "🇨🇳", "🇬🇧", "⚖️", "☎", "❤️‍🔥", "1️⃣", "#️⃣",
    "🧑🏿‍💻", "🫡", "🤷‍♀️", "©", "™", "✅", "➡️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
]

SPACE = [" ", "  ", "   ", "        ", "\t", "\t\t", " \t ", "\n", "\n\n", "\n\n\n\n", "\r\n",
         "\r\n\r\n", "\r", " \n", "\n ", " \r\n ", "\u00a0", "\u00a0 ", "\u3000", "\u3000\u3000",
         "\u2003", "\u2009", "\u202f", "\u205f", "\u1680", "\u2028", "\u2029", "\u0085", "\v", "\f",
         "\u200b", "\u200d", "\ufeff", " " * 17, "\n" * 9, "\t" * 5 + "\n"]

MARKS = [
    "e\u0301", "n\u0303", "a\u0308\u0304", "Z\u0351\u036b\u0343", "q\u0307\u0323", "\u0301",
    "\u093f\u0902", "हिन्दी", "ภาษาไทย", "தமிழ்", "עִבְרִית", "العَرَبِيَّة", "ᄒ\u1161\u11ab",
    "한국어", "が", "か\u3099", "Å", "A\u030a", "ﬁ", "ﬀ", "\u20dd", "a\u20dd",
]

SCRIPTS = [
    "Ελληνικά", "Русский язык", "Հայերեն", "ქართული", "日本語のテキスト", "カタカナ", "ﾊﾝｶｸ",
    "Tiếng Việt", "Straße", "İstanbul", "ǅ", "ʰʲ", "ℵ", "ªº", "𝔘𝔫𝔦", "𐍈", "𠮷野家", "㐀",
    "ＦＵＬＬ　ｗｉｄｔｈ", "\ue000", "ⅣⅫ", "½¾", "①②③", "٣٤٥", "१२३", "𝟘𝟙", "㊀", "〇", "々",
]

PUNCTUATION = [
    "...", "…", "——", "–", "—", "“”", "‘’", "「」", "《民法典》", "（）", "、", "。", "；",
    "!?", "?!!", "(a)", "(iv)", "§ 3", "¶", "•", "* * *", "____", "-----", "=====", "''",
    "\"\"", "`", "\\", "^", "~", "$", "£", "€", "¥", "+", "<", ">", "|", "×", "÷", "≤", "±",
    "°",
]

CONTRACTIONS = [
    "'s", "'t", "'re", "'ve", "'m", "'ll", "'d", "'S", "'T", "'RE", "'VE", "'M", "'LL", "'D",
    "\u2019s", "\u2019ll", "'x", "''s", "'ſ", "'lL", "' s",
]

SPECIAL = [
    "<|im_end|>", "<|im_start|>", "<|endoftext|>", "<|im_start|>system\n", "<s>", "</s>",
    "<unk>", "[INST]", "<|fim_prefix|>", "<|repo_name|>", "<|vision_start|>", "<jupyter_start>",
    "<bos>", "<|im_end", "|im_end|>", "< |im_end|>", "<|IM_END|>", "<tool_call>", "<file_sep>",
    "<repo_name>", "<empty_output>", "<|object_ref_start|>", "<|file_sep|>",
]

WORDS = [
    "clause", "Clause", "CLAUSE", "indemnity", "supercalifragilistic", "x", "I", "Purchaser",
    "don", "we", "naïve", "café", "coöperate", "rock", "they", "甲", "条", "买方", "第", "３",
]

CONTROL = ["\x01", "\x08", "\x1b[31m", "\x7f", "\x9f", "\u00ad", "\ufffd", "\ufffc", "\u202e"]


def digits(rng):
    run = "".join(rng.choice("0123456789") for _ in range(rng.choice([1, 2, 3, 4, 5, 8, 13, 30])))
    return rng.choice([run, run, f"{run}.{run[:2]}", f"{run[:3]},{run[3:6]}", f"-{run}", f"{run}%",
                       f"第{run}条", f"{run}th", f"a{run}b", f" {run} ", f"{run}'s"])


def mixture(rng, pools, low, high, glue):
    pieces = []
    for _ in range(rng.randint(low, high)):
        pieces.append(rng.choice(rng.choice(pools)))
        pieces.append(rng.choice(glue))
    return "".join(pieces)


def spaced(rng):
    """Words with odd white space between, before and after them."""
    return rng.choice(["", rng.choice(SPACE)]) + mixture(rng, [WORDS, SPACE], 2, 9, SPACE)


def contracted(rng):
    return "".join(rng.choice(WORDS) + rng.choice(CONTRACTIONS) + rng.choice(["", " ", ".", "\n"])
                   for _ in range(rng.randint(1, 6)))


def excerpt(rng):
    """A piece of a sentence cut at any character, as a passage may be."""
    text = rng.choice(ENGLISH + CHINESE + CODE)
    first = rng.randrange(len(text))
    return text[first:first + rng.randint(1, 60)]


def scrambled(rng):
    """Single characters of all kinds, with nothing between them."""
    letters = "".join(ENGLISH[:3] + CHINESE[:3] + EMOJI + SPACE + MARKS + SCRIPTS + PUNCTUATION)
    return "".join(rng.choice(letters) for _ in range(rng.randint(2, 50)))


def generate():
    """COUNT distinct, non-empty strings."""
    rng = random.Random(SEED)
    kinds = [
        lambda: mixture(rng, [ENGLISH], 1, 3, [" ", "\n", "\n\n", "  "]),
        lambda: mixture(rng, [CHINESE], 1, 4, ["", "\n", "　", " "]),
        lambda: mixture(rng, [ENGLISH, CHINESE], 2, 4, ["", " ", "\n"]),
        lambda: mixture(rng, [CODE], 1, 2, ["", "\n", " "]),
        lambda: mixture(rng, [EMOJI, WORDS], 1, 8, ["", "", " "]),
        lambda: spaced(rng),
        lambda: mixture(rng, [MARKS, WORDS], 1, 8, ["", " ", "-"]),
        lambda: mixture(rng, [SCRIPTS, PUNCTUATION], 1, 8, ["", " "]),
        lambda: "".join(digits(rng) for _ in range(rng.randint(1, 6))),
        lambda: contracted(rng),
        lambda: mixture(rng, [SPECIAL, WORDS, PUNCTUATION], 1, 6, ["", "", " ", "\n"]),
        lambda: mixture(rng, [WORDS, CONTROL, PUNCTUATION], 1, 8, ["", " "]),
        lambda: excerpt(rng),
        lambda: scrambled(rng),
    ]
    fixed = [piece for pool in (ENGLISH, CHINESE, CODE, EMOJI, SPACE, MARKS, SCRIPTS, PUNCTUATION,
                                CONTRACTIONS, SPECIAL, WORDS, CONTROL) for piece in pool]
    strings = dict.fromkeys(fixed)  # a set that keeps its order
    turn = 0
    while len(strings) < COUNT:
        strings.setdefault(kinds[turn % len(kinds)]())
        turn += 1
    return list(strings)


def runs():
    """(character, count): about a megabyte of one character each."""
    megabyte = 1 << 20
    return [(character, megabyte // len(character.encode()))
            for character in ("A", " ", "\n", "\t", "7", "-", "甲", "\u0301", "\u00a0", "😀")]
