import { BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

describe('keeping a budget', () => {
  let product: BrowserStack;
  beforeAll(async () => {
    product = await BrowserStack.start();
  });
  afterAll(() => product?.stop());

  it('is set, announced in the session, refuses the next message with what to do, and is raised', async () => {
    const me = await product.openSignedIn();
    await me.page.goto(`${me.url}/cost`);
    await me.page.getByText('No budgets yet').waitFor();
    await me.page.getByRole('button', { name: 'New budget' }).click();
    await me.page.getByLabel('Limit (USD)').fill('2');
    await me.page.getByRole('button', { name: 'Create budget' }).click();
    const row = me.page.getByRole('list', { name: 'Budgets' }).getByRole('listitem');
    await row.getByText('$0 of $2.00 per month').waitFor();

    const sessionId = await product.newSession();
    await me.openSession(sessionId);
    await me.send('[[usage output=200000]]&[[text "A costly answer."]]');
    await me.waitForEnds(1);
    await me.conversation.getByText('100 % of a budget is used').waitFor();
    await me.send('One more.');
    await me.page
      .getByText(
        /^What the team may spend this month is used up until 00:00 .*\(UTC\), in .* An owner or admin can raise the budget before\.$/,
      )
      .waitFor();

    await me.page.goto(`${me.url}/cost`);
    await row.getByText('used up').waitFor();
    await row.getByRole('button', { name: /^Change the limit/ }).click();
    await me.page.getByLabel('Limit (USD)').fill('20');
    await me.page.getByRole('button', { name: 'Save limit', exact: true }).click();
    await row.getByText(/of \$20\.00 per month/).waitFor();
    await row.getByText('used up').waitFor({ state: 'detached' });
    await me.page.setViewportSize({ width: 390, height: 800 });
    expect(await me.overflowsSideways()).toBe(false);
    await row.getByRole('button', { name: /^Remove the budget/ }).click();
    await me.page.getByRole('button', { name: 'Remove', exact: true }).click();
    await me.page.getByText('No budgets yet').waitFor();
    expect(await product.closeWindows()).toEqual([]);
  });

  it('that runs out between two steps says so where the turn ends, keeps what was done, and continues once it is raised', async () => {
    const sessionId = await product.newSession();
    const budget = await product.owner.call<{ id: string }>('POST', '/v1/budgets', {
      scope: 'session',
      subjectId: sessionId,
      period: 'total',
      limitUsd: '2',
    });
    expect(budget.status).toBe(201);
    const me = await product.openSignedIn();
    await me.openSession(sessionId);
    await me.send(
      '[[usage output=200000]]&[[text "The first step."]]&[[tool Read {"file_path":"/workspace/a.txt"}]] [[text "The second step."]]',
    );
    await me.waitForEnds(1);
    await me.conversation.getByText('The first step.', { exact: true }).waitFor();
    await me.conversation.getByText('The budget is used up').waitFor();
    await me.conversation
      .getByText(
        'The turn’s next request could pass what this session may spend. What was done so far is kept. The budget binds, and it does not reset. An owner or admin can raise the budget.',
      )
      .waitFor();
    expect(await me.conversation.getByText('The second step.', { exact: true }).count()).toBe(0);

    await me.send('One more.');
    await me.page
      .getByText(
        'What this session may spend is used up, and it does not reset. An owner or admin can raise the budget.',
      )
      .waitFor();
    expect((await product.owner.call('PATCH', `/v1/budgets/${budget.body.id}`, { limitUsd: '20' })).status).toBe(200);
    await me.send('[[text "On we go."]]');
    await me.conversation.getByText('On we go.', { exact: true }).waitFor();
    expect(await product.closeWindows()).toEqual([]);
  });
});
