/** What runs in the page, as text: these programs are not ours to type here, for they live in the browser. */

/** Resolves with the milliseconds from the Enter key's own time stamp to the frame after `word` is in an answer. */
export function firstWordScript(word: string): string {
  return `new Promise((resolve) => {
    let pressedAt = 0;
    addEventListener('keydown', (event) => { if (event.key === 'Enter') pressedAt = event.timeStamp; }, { capture: true, once: true });
    const look = () => {
      const rows = [...document.querySelectorAll('[data-row="item"]')].map((row) => row.textContent);
      if (pressedAt === 0 || !rows.some((text) => text.includes(${JSON.stringify(word)}) && !text.includes('[['))) return;
      observer.disconnect();
      requestAnimationFrame((now) => resolve(now - pressedAt));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  })`;
}

/** Resolves with the milliseconds from the beginning of the page to the frame after the first row of the conversation. */
export const FIRST_ROW_SCRIPT = `new Promise((resolve) => {
  const look = () => {
    if (document.querySelector('[data-row="message"], [data-row="item"]') === null) return false;
    requestAnimationFrame((now) => resolve(now));
    return true;
  };
  if (look()) return;
  const observer = new MutationObserver(() => { if (look()) observer.disconnect(); });
  observer.observe(document, { childList: true, subtree: true });
})`;

/** Scrolls the conversation from its end to its start in so many frames; resolves with their durations and the number of rows. */
export function scrollScript(frames: number): string {
  return `(async () => {
    let scroller = document.querySelector('[aria-label="Conversation"]');
    while (scroller && !(scroller.scrollHeight > scroller.clientHeight + 10 && /auto|scroll/.test(getComputedStyle(scroller).overflowY))) scroller = scroller.parentElement;
    if (!scroller) throw new Error('nothing scrolls');
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const durations = [];
    let rows = 0;
    let last = await nextFrame();
    for (let i = 0; i < ${frames}; i += 1) {
      scroller.scrollTop -= Math.max(400, scroller.scrollHeight / ${frames});
      const now = await nextFrame();
      durations.push(now - last);
      last = now;
      for (const row of document.querySelectorAll('[data-index]')) rows = Math.max(rows, Number(row.dataset.index) + 1);
    }
    return { durations, rows };
  })()`;
}
