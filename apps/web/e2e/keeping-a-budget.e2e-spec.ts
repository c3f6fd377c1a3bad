import { BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

describe('keeping a budget', () => {
  let product: BrowserStack;
  beforeAll(async () => {
    product = await BrowserStack.start();
  });
  afterAll(() => product?.stop());

  it('is set, told of in the session, refuses the next message with what to do, and is raised', async () => {
    const me = await product.openSignedIn();
    await me.page.goto(`${me.url}/cost`);
    await me.page.getByText('There is none: everybody may spend').waitFor();
    await me.page.getByRole('button', { name: 'Set a budget' }).click();
    await me.page.getByLabel('Limit, US$').fill('2');
    await me.page.getByRole('button', { name: 'Set the budget' }).click();
    const row = me.page.getByRole('list', { name: 'Budgets' }).getByRole('listitem');
    await row.getByText('$0 of $2.00 a month').waitFor();

    const sessionId = await product.newSession();
    await me.openSession(sessionId);
    await me.send('[[usage output=200000]]&[[text "A costly answer."]]');
    await me.waitForEnds(1);
    await me.conversation.getByText('100 % of a budget is used').waitFor();
    await me.send('One more.');
    await me.page.getByText('What the team may spend this month is used up. An owner or admin can raise the budget, or it goes on next month.').waitFor();

    await me.page.goto(`${me.url}/cost`);
    await row.getByText('used up').waitFor();
    await row.getByRole('button', { name: /^Change the limit/ }).click();
    await me.page.getByLabel('Limit, US$').fill('20');
    await me.page.getByRole('button', { name: 'Change the limit', exact: true }).click();
    await row.getByText(/of \$20\.00 a month/).waitFor();
    await row.getByText('used up').waitFor({ state: 'detached' });
    await me.page.setViewportSize({ width: 390, height: 800 });
    expect(await me.overflowsSideways()).toBe(false);
    await row.getByRole('button', { name: /^Remove the budget/ }).click();
    await me.page.getByRole('button', { name: 'Remove', exact: true }).click();
    await me.page.getByText('There is none').waitFor();
    expect(await product.closeWindows()).toEqual([]);
  });
});
