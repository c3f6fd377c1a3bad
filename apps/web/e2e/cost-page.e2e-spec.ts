import { useBrowserStack, type BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

/** Runs in the page: from this width on, its script hears nothing of the window, as for a moment on a slow machine. */
function hearNothingWhenNarrow(width: number): void {
  window.ResizeObserver = class extends ResizeObserver {
    constructor(callback: ResizeObserverCallback) {
      super((...seen) => {
        if (window.innerWidth > width) callback(...seen);
      });
    }
  };
  window.addEventListener('resize', (event) => window.innerWidth <= width && event.stopImmediatePropagation(), true);
  const { addEventListener } = MediaQueryList.prototype;
  MediaQueryList.prototype.addEventListener = function (type: string, listener: never) {
    const heard = (event: Event) => window.innerWidth > width && (listener as (event: Event) => void)(event);
    addEventListener.call(this, type, heard);
  };
}

describe('reading the cost', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));

  it('over time draws a bar of the day, says who or what it was for, and says so where nothing was spent', async () => {
    const me = await product.openSignedIn();
    await me.page.addInitScript(hearNothingWhenNarrow, 390);
    await me.page.goto(`${me.url}/cost`);
    const chart = me.page.getByRole('region', { name: 'Cost per day' });
    await chart.getByText('No cost in this period.').waitFor();

    await me.openSession(await product.newSession('Costly'));
    await me.send('[[usage output=200000]]&[[text "A costly answer."]]');
    await me.waitForEnds(1);
    await me.page.goto(`${me.url}/cost`);
    await chart.getByRole('img', { name: /^Cost on 1 of \d+ days\. Highest: / }).waitFor();
    const stackBy = (what: string) =>
      chart.getByRole('group', { name: 'Stacked by' }).getByRole('radio', { name: what }).check({ force: true });
    await stackBy('Project');
    await chart
      .getByRole('listitem')
      .filter({ hasText: /^Costly\$\d/ })
      .waitFor();
    await me.page.waitForURL(/stack=project/);

    await chart.locator('.recharts-bar-rectangle').last().hover();
    await chart.locator('.recharts-tooltip-wrapper').getByText('Costly').waitFor();
    await me.page.setViewportSize({ width: 390, height: 800 });
    expect(await me.overflowsSideways()).toBe(false);
  });

  it('of a model without a price says "unknown" at the turn, for the session and in the report; the address keeps what is shown', async () => {
    const sessionId = await product.newSession();
    const me = await product.openSignedIn();
    await me.openSession(sessionId);
    await me.send('[[model made-up]]&[[text "Of unknown cost."]]');
    await me.waitForEnds(1);
    await me.conversation.getByText('Cost unknown').waitFor();
    await me.conversation
      .getByText('There is no price for made-up, so what this turn cost is unknown.', { exact: false })
      .waitFor();
    await me.page.getByText('unknown total').waitFor();

    await me.send('[[usage output=200000]]&[[text "A costly answer."]]');
    await me.waitForEnds(2);
    await me.page.getByText(/at least \$\d.* total/).waitFor();

    await me.page.goto(`${me.url}/cost?group=nonsense`);
    await me.page
      .getByRole('group', { name: 'Grouped by' })
      .getByRole('radio', { name: 'Model' })
      .check({ force: true });
    await me.page.getByLabel('Time').selectOption('All time');
    const row = me.page.getByRole('row', { name: /made-up/ });
    await row.getByText('unknown').waitFor();
    await me.page.getByText('1 message of models without a price not included', { exact: false }).waitFor();
    await me.page.waitForURL(
      (url) => url.searchParams.get('group') === 'model' && url.searchParams.get('range') === 'all',
    );

    await me.page.reload();
    await row.getByText('unknown').waitFor();
    await me.page.getByRole('combobox', { name: 'Project' }).selectOption('Demo');
    await me.page.waitForURL(/project=proj_/);
    await row.getByText('unknown').waitFor();
    await me.page.setViewportSize({ width: 390, height: 800 });
    expect(await me.overflowsSideways()).toBe(false);
  });
});
