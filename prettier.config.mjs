/** The house's format; see docs/style.md. Prettier runs in `npm test`, and `npm run format` writes it. */
export default { printWidth: 120, singleQuote: true };
