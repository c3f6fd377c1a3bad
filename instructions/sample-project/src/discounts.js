const CODES = {
  WELCOME: { percent: 10 },
  FIVEOFF: { cents: 500 },
};

/** How many cents `code` takes off `sumCents`; an unknown code takes off nothing. */
export function discountOf(sumCents, code) {
  const discount = CODES[code];
  if (discount === undefined) return 0;
  if (discount.percent !== undefined) return Math.round((sumCents * discount.percent) / 100);
  return Math.min(sumCents, discount.cents);
}
