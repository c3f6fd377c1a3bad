import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cart } from '../src/cart.js';

test('adds up prices and quantities', () => {
  const cart = new Cart();
  cart.add('Tea', 450, 2);
  cart.add('Cup', 1200);
  assert.equal(cart.total(), 2100);
});

test('takes a percentage off', () => {
  const cart = new Cart();
  cart.add('Tea', 450, 2);
  assert.equal(cart.total('WELCOME'), 810);
});

test('never charges less than nothing', () => {
  const cart = new Cart();
  cart.add('Sticker', 100);
  assert.equal(cart.total('FIVEOFF'), 0);
});

test('refuses a price that is not a whole number of cents', () => {
  assert.throws(() => new Cart().add('Tea', 4.5), RangeError);
});
