import { discountOf } from './discounts.js';

/** The items that one customer wants to buy. Prices are whole cents. */
export class Cart {
  #items = new Map();

  add(name, priceCents, quantity = 1) {
    if (!Number.isInteger(priceCents) || priceCents < 0) throw new RangeError('A price is a whole number of cents.');
    const known = this.#items.get(name);
    this.#items.set(name, { priceCents, quantity: (known?.quantity ?? 0) + quantity });
  }

  remove(name) {
    return this.#items.delete(name);
  }

  /** What is to be paid, after the discount that `code` gives. */
  total(code) {
    let sum = 0;
    for (const { priceCents, quantity } of this.#items.values()) sum += priceCents * quantity;
    return sum - discountOf(sum, code);
  }
}
