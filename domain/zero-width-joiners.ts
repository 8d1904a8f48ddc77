// Where the invisible joiners U+200C (ZWNJ) and U+200D (ZWJ) change what a word shows: the contexts A1, A2 and B of
// UAX #31, 2.3.1. JavaScript has no expressions for these properties, so their tables are here, of Unicode 16.0.

const ZWNJ = '\u200c'

// Code points in hexadecimal, and ranges of them, from ArabicShaping.txt, IndicSyllabicCategory.txt, UnicodeData.txt.

/** Joining_Type Dual_Joining. */
const JOINS_BOTH =
  '620 626 628 62a-62e 633-63f 641-647 649-64a 66e-66f 678-687 69a-6bf 6c1-6c2 6cc 6ce 6d0-6d1 6fa-6fc 6ff ' +
  '712-714 71a-71d 71f-727 729 72b 72d-72e 74e-758 75c-76a 76d-770 772 775-777 77a-77f 7ca-7ea 841-845 848 ' +
  '84a-853 855 860 862-865 868 886 889-88d 8a0-8a9 8af-8b0 8b3-8b8 8ba-8c8 1807 1820-1878 1887-18a8 18aa ' +
  'a840-a871 10ac0-10ac4 10ad3-10ad6 10ad8-10adc 10ade-10ae0 10aeb-10aee 10b80 10b82 10b86-10b88 ' +
  '10b8a-10b8b 10b8d 10b90 10bad-10bae 10d01-10d21 10d23 10ec3-10ec4 10f30-10f32 10f34-10f44 10f51-10f53 ' +
  '10f70-10f73 10f76-10f81 10fb0 10fb2-10fb3 10fb8 10fbb-10fbc 10fbe-10fbf 10fc1 10fc4 10fca 1e900-1e943'

/** Joining_Type Left_Joining. */
const JOINS_LEFT = 'a872 10acd 10ad7 10d00 10fcb'

/** Joining_Type Right_Joining. */
const JOINS_RIGHT =
  '622-625 627 629 62f-632 648 671-673 675-677 688-699 6c0 6c3-6cb 6cd 6cf 6d2-6d3 6d5 6ee-6ef 710 715-719 ' +
  '71e 728 72a 72c 72f 74d 759-75b 76b-76c 771 773-774 778-779 840 846-847 849 854 856-858 867 869-86a ' +
  '870-882 88e 8aa-8ac 8ae 8b1-8b2 8b9 10ac5 10ac7 10ac9-10aca 10ace-10ad2 10add 10ae1 10ae4 10aef 10b81 ' +
  '10b83-10b85 10b89 10b8c 10b8e-10b8f 10b91 10ba9-10bac 10d22 10ec2 10f33 10f54 10f74-10f75 10fb4-10fb6 ' +
  '10fb9-10fba 10fbd 10fc2-10fc3 10fc9'

/** Marks and format characters whose Joining_Type is not Transparent. */
const NOT_TRANSPARENT = '600-605 6dd 890-891 8e2 180e 200c-200d 2066-2069 110bd 110cd'

/** The letter whose Joining_Type is. */
const OTHER_TRANSPARENT = '1e94b'

/** Canonical_Combining_Class 9. */
const VIRAMA =
  '94d 9cd a4d acd b4d bcd c4d ccd d3b-d3c d4d dca e3a eba f84 1039-103a 1714-1715 1734 17d2 1a60 1b44 ' +
  '1baa-1bab 1bf2-1bf3 2d7f a806 a82c a8c4 a953 a9c0 aaf6 abed 10a3f 11046 11070 1107f 110b9 11133-11134 ' +
  '111c0 11235 112ea 1134d 113ce-113d0 11442 114c2 115bf 1163f 116b6 1172b 11839 1193d-1193e 119e0 11a34 ' +
  '11a47 11a99 11c3f 11d44-11d45 11d97 11f41-11f42 1612f'

/** Nonspacing marks whose Canonical_Combining_Class is not 0. */
const ORDERED_MARK =
  '300-343 345-34e 350-36f 483-487 591-5bd 5bf 5c1-5c2 5c4-5c5 5c7 610-61a 64b-65f 670 6d6-6dc 6df-6e4 ' +
  '6e7-6e8 6ea-6ed 711 730-74a 7eb-7f3 7fd 816-819 81b-823 825-827 829-82d 859-85b 897-89f 8ca-8e1 8e3-8ff ' +
  '93c 94d 951-954 9bc 9cd 9fe a3c a4d abc acd b3c b4d bcd c3c c4d c55-c56 cbc ccd d3b-d3c d4d dca e38-e3a ' +
  'e48-e4b eb8-eba ec8-ecb f18-f19 f35 f37 f39 f71-f72 f74 f7a-f7d f80 f82-f84 f86-f87 fc6 1037 1039-103a ' +
  '108d 135d-135f 1714 17d2 17dd 18a9 1939-193b 1a17-1a18 1a60 1a75-1a7c 1a7f 1ab0-1abd 1abf-1add 1ae0-1aeb ' +
  '1b34 1b6b-1b73 1bab 1be6 1c37 1cd0-1cd2 1cd4-1ce0 1ce2-1ce8 1ced 1cf4 1cf8-1cf9 1dc0-1dff 20d0-20dc 20e1 ' +
  '20e5-20f0 2cef-2cf1 2d7f 2de0-2dff 302a-302d 3099-309a a66f a674-a67d a69e-a69f a6f0-a6f1 a806 a82c a8c4 ' +
  'a8e0-a8f1 a92b-a92d a9b3 aab0 aab2-aab4 aab7-aab8 aabe-aabf aac1 aaf6 abed fb1e fe20-fe2f 101fd 102e0 ' +
  '10376-1037a 10a0d 10a0f 10a38-10a3a 10a3f 10ae5-10ae6 10d24-10d27 10d69-10d6d 10eab-10eac 10efa-10efb ' +
  '10efd-10eff 10f46-10f50 10f82-10f85 11046 11070 1107f 110b9-110ba 11100-11102 11133-11134 11173 111ca ' +
  '11236 112e9-112ea 1133b-1133c 11366-1136c 11370-11374 113ce 113d0 11442 11446 1145e 114c2-114c3 ' +
  '115bf-115c0 1163f 116b7 1172b 11839-1183a 1193e 11943 119e0 11a34 11a47 11a99 11c3f 11d42 11d44-11d45 ' +
  '11d97 11f42 1612f 16af0-16af4 16b30-16b36 1bc9e 1d167-1d169 1d17b-1d182 1d185-1d18b 1d1aa-1d1ad ' +
  '1d242-1d244 1e000-1e006 1e008-1e018 1e01b-1e021 1e023-1e024 1e026-1e02a 1e08f 1e130-1e136 1e2ae ' +
  '1e2ec-1e2ef 1e4ec-1e4ef 1e5ee-1e5ef 1e6e3 1e6e6 1e6ee-1e6ef 1e6f5 1e8d0-1e8d6 1e944-1e94a'

/** Indic_Syllabic_Category Vowel_Dependent. */
const VOWEL_SIGN =
  '93a-93b 93e-94c 94e-94f 955-957 962-963 9be-9c4 9c7-9c8 9cb-9cc 9d7 9e2-9e3 a3e-a42 a47-a48 a4b-a4c abe- ' +
  'ac5 ac7-ac9 acb-acc ae2-ae3 b3e-b44 b47-b48 b4b-b4c b55-b57 b62-b63 bbe-bc2 bc6-bc8 bca-bcc bd7 c3e-c44 ' +
  'c46-c48 c4a-c4c c55-c56 c62-c63 cbe-cc4 cc6-cc8 cca-ccc cd5-cd6 ce2-ce3 d3e-d44 d46-d48 d4a-d4c d57 ' +
  'd62-d63 dcf-dd4 dd6 dd8-ddf df2-df3 e30-e39 e40-e45 e47 eb0-eb9 ebb ec0-ec4 f71-f7d f80-f81 102b-1035 ' +
  '1056-1059 1062 1067-1068 1071-1074 1083-1086 109c-109d 1712-1713 1732-1733 1752-1753 1772-1773 17b6-17c5 ' +
  '17c8 1920-1928 193a 19b0-19c0 1a17-1a1b 1a61-1a73 1b35-1b43 1ba4-1ba9 1be7-1bef 1c26-1c2c a802 a823-a827 ' +
  'a8b5-a8c3 a8ff a947-a94e a9b4-a9bc a9e5 aa29-aa32 aab0-aabe aaeb-aaef abe3-abea 10a01-10a03 10a05-10a06 ' +
  '10a0c-10a0d 11038-11045 11073-11074 110b0-110b8 110c2 11127-11132 11145-11146 111b3-111bf 111cb-111cc ' +
  '111ce 1122c-11233 11241 112e0-112e8 1133e-11344 11347-11348 1134b-1134c 11357 11362-11363 113b8-113c0 ' +
  '113c2 113c5 113c7-113c9 11435-11441 114b0-114be 115af-115b5 115b8-115bb 115dc-115dd 11630-1163c 11640 ' +
  '116ad-116b5 11720-1172a 1182c-11836 11930-11935 11937-11938 119d1-119d7 119da-119dd 119e4 11a01-11a0a ' +
  '11a51-11a5b 11c2f-11c36 11c38-11c3b 11cb0-11cb4 11d31-11d36 11d3a 11d3c-11d3d 11d3f 11d43 11d8a-11d8e ' +
  '11d90-11d91 11d93-11d94 11ef3-11ef6 11f34-11f3a 11f3e-11f40 1611e-16129 16d63-16d6a'

/** The scripts of letters that join, and of viramas. */
const SCRIPTS =
  'Adlam Ahom Arabic Balinese Batak Bengali Bhaiksuki Brahmi Chakma Chorasmian Devanagari Dives_Akuru Dogra ' +
  'Grantha Gujarati Gunjala_Gondi Gurmukhi Gurung_Khema Hanifi_Rohingya Hanunoo Javanese Kaithi Kannada ' +
  'Kawi Kharoshthi Khmer Khojki Khudawadi Lao Malayalam Mandaic Manichaean Masaram_Gondi Meetei_Mayek Modi ' +
  'Mongolian Myanmar Nandinagari Newa Nko Old_Uyghur Oriya Phags_Pa Psalter_Pahlavi Rejang Saurashtra ' +
  'Sharada Siddham Sinhala Sogdian Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tai_Tham Takri Tamil ' +
  'Telugu Thai Tibetan Tifinagh Tirhuta Tulu_Tigalari Zanabazar_Square'

/** The content of a class in a regular expression. */
const classOf = (ranges: string): string => ranges.replaceAll(/[0-9a-f]+/g, '\\u{$&}').replaceAll(' ', '')

const transparent = `(?:[${classOf(OTHER_TRANSPARENT)}]|(?![${classOf(NOT_TRANSPARENT)}])[\\p{Mn}\\p{Me}\\p{Cf}])*`
const marks = `[${classOf(ORDERED_MARK)}]*`
const JOINED_BEFORE = new RegExp(`[${classOf(`${JOINS_BOTH} ${JOINS_LEFT}`)}]${transparent}$`, 'u')
const JOINED_AFTER = new RegExp(`^${transparent}[${classOf(`${JOINS_BOTH} ${JOINS_RIGHT}`)}]`, 'u')
const CONJUNCT_BEFORE = new RegExp(`\\p{L}\\p{Mn}*[${classOf(VIRAMA)}]${marks}$`, 'u')
const LETTER_AFTER = new RegExp(`^${marks}\\p{L}`, 'u')
const VOWEL_AFTER = new RegExp(`^[${classOf(VOWEL_SIGN)}]`, 'u')
const OF_ONE_SCRIPT = SCRIPTS.split(' ').flatMap((script) => {
  try {
    return [new RegExp(`^[\\p{Script=${script}}\\p{Script=Common}\\p{Script=Inherited}]*$`, 'u')]
  } catch {
    // Not known to the Unicode version of this Node.js.
    return []
  }
})

/** Whether the joiner at an index of a text in NFC is in one of its contexts. O(length of the text). */
export function isJoinerInContext(text: string, at: number): boolean {
  const before = text.slice(0, at)
  const after = text.slice(at + 1)
  const conjunct = CONJUNCT_BEFORE.exec(before)?.[0]
  if (text[at] !== ZWNJ) return conjunct !== undefined && isOfOneScript(conjunct) && !VOWEL_AFTER.test(after)
  return (
    isContext(JOINED_BEFORE.exec(before)?.[0], JOINED_AFTER.exec(after)?.[0]) ||
    isContext(conjunct, LETTER_AFTER.exec(after)?.[0])
  )
}

const isContext = (before: string | undefined, after: string | undefined): boolean =>
  before !== undefined && after !== undefined && isOfOneScript(before + after)

const isOfOneScript = (text: string): boolean => OF_ONE_SCRIPT.some((script) => script.test(text))
