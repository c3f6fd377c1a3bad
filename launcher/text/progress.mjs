const terminal = process.stdout.isTTY === true;

/**
 * One line for the person at the terminal.
 * @param {string} text
 */
export function say(text) {
  process.stdout.write(`${text}\n`);
}

/**
 * Runs one step and prints how long it took; a step of under 0.2 s that returns 'unchanged' prints nothing.
 * @template T
 * @param {string} what
 * @param {() => T | Promise<T>} act
 * @returns {Promise<T>}
 */
export async function step(what, act) {
  const startedAt = performance.now();
  const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
  const ticking = terminal ? setInterval(() => process.stdout.write(`\r  … ${what}  ${seconds()} s`), 500) : undefined;
  const announced = terminal ? undefined : setTimeout(() => say(`  … ${what}`), 2000);
  const settle = () => {
    clearInterval(ticking);
    clearTimeout(announced);
    if (terminal) process.stdout.write('\r\x1b[K');
  };
  try {
    const result = await act();
    settle();
    if (result !== 'unchanged') say(`  ✓ ${what}  ${seconds()} s`);
    return result;
  } catch (error) {
    settle();
    say(`  ✗ ${what}  ${seconds()} s`);
    throw error;
  }
}
