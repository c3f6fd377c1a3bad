export function wordsNumbered(count: number): string {
  return Array.from({ length: count }, (_, index) => `word${index + 1}`).join(' ');
}

export const UNICODE_TEXT =
  'Ünïcödé ✓ — emoji 🙂👩‍👩‍👧‍👦🏳️‍🌈🇫🇷, CJK 漢字かな한국어, right to left שלום עליכם, combining é, ' +
  'mathematics 𝒳𝟙, separators [\u2028] and [\u2029], control [\u0001], quote " and backslash \\ to end.';

export function longSection(number: number): string {
  return `## Section ${number}\n\nParagraph ${number}. ${wordsNumbered(40)}.\n\n\`\`\`ts\nexport const n${number} = ${number};\n\`\`\`\n\n`;
}
