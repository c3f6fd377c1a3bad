/** The format of the code: `npm test` checks it, and `npm run format` writes it. */
export default { printWidth: 120, singleQuote: true };
