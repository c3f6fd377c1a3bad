import { BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

const FIRST = `sk-ant-api03-${'first'.repeat(12)}AAAA`;
const SECOND = `sk-ant-api03-${'second'.repeat(12)}BBBB`;

describe('keeping keys in the settings', () => {
  describe('where the installation has none', () => {
    let product: BrowserStack;
    beforeAll(async () => {
      product = await BrowserStack.start({ model: 'demo', workers: 0 });
    });
    afterAll(() => product?.stop());

    it('sets, replaces and removes them; the page says who pays, and never shows a value', async () => {
      const me = await product.openSignedIn();
      await me.page.getByRole('link', { name: /^Demo model/ }).click();
      const keys = me.page.getByRole('list', { name: /^Keys in/ });
      const own = keys.getByRole('listitem').filter({ hasText: 'Your own key' });
      const team = keys.getByRole('listitem').filter({ hasText: 'The team’s key' });
      await own.getByText('None; the demo model answers.').waitFor();

      await own.getByRole('button', { name: 'Set: Your own key' }).click();
      await me.page.getByLabel('API key').fill('sk-ant-oat01-a-token-of-a-subscription');
      await me.page.getByRole('button', { name: 'Set key' }).click();
      await me.page.getByText('token of a Claude subscription').waitFor();
      await me.page.getByLabel('API key').fill(FIRST);
      await me.page.getByRole('button', { name: 'Set key' }).click();
      await own.getByText('…AAAA').waitFor();
      await own.getByText('pays for your turns').waitFor();
      await me.page.getByRole('link', { name: /^Demo model/ }).waitFor({ state: 'detached' });

      await own.getByRole('button', { name: 'Replace: Your own key' }).click();
      await me.page.getByLabel('API key').fill(SECOND);
      await me.page.getByRole('button', { name: 'Replace key' }).click();
      await own.getByText('…BBBB').waitFor();
      await team.getByRole('button', { name: 'Set: The team’s key' }).click();
      await me.page.getByLabel('API key').fill(FIRST);
      await me.page.getByRole('button', { name: 'Set key' }).click();
      await team.getByText('…AAAA').waitFor();
      expect(await team.getByText('pays for your turns').count()).toBe(0);

      await own.getByRole('button', { name: 'Remove: Your own key' }).click();
      await me.page.getByRole('button', { name: 'Remove', exact: true }).click();
      await team.getByText('pays for your turns').waitFor();
      const html = await me.page.content();
      for (const value of [FIRST, SECOND]) expect(html.includes(value)).toBe(false);
      expect(await product.closeWindows()).toEqual([]);
    });

    it('leaves the team’s to its admins', async () => {
      const member = await product.newMember('Mia');
      const mia = await product.openSignedIn(member, { viewport: { width: 390, height: 800 } });
      await mia.page.goto(`${mia.url}/settings`);
      await mia.page.getByRole('button', { name: 'Set: Your own key' }).waitFor();
      expect(await mia.page.getByRole('button', { name: /The team’s key/ }).count()).toBe(0);
      expect(await mia.overflowsSideways()).toBe(false);
      expect(await product.closeWindows()).toEqual([]);
    });
  });

  describe('where turns are paid for', () => {
    let product: BrowserStack;
    beforeAll(async () => {
      product = await BrowserStack.start();
    });
    afterAll(() => product?.stop());

    it('says whose key pays, and of one that the service refuses whose it is and where it is changed', async () => {
      const sessionId = await product.newSession();
      const me = await product.openSignedIn();
      await me.openSession(sessionId);
      await me.page.getByText('server’s key', { exact: true }).waitFor();
      const set = await product.owner.call('POST', '/v1/keys', { scope: 'team', value: FIRST });
      expect(set.status).toBe(201);
      await me.send('[[text "Paid by the team."]]');
      await me.waitForEnds(1);
      await me.page.getByText('team’s key', { exact: true }).waitFor();
      await me.send('[[error 401]]');
      await me.waitForEnds(2);
      await me.conversation
        .getByText('did not accept the team’s key. An owner or admin changes it in Settings under Keys')
        .first()
        .waitFor();
      await me.page.goto(`${me.url}/settings`);
      await me.page
        .getByRole('listitem')
        .filter({ hasText: 'The team’s key' })
        .getByText('The model’s service denied it: invalid x-api-key')
        .waitFor();
      expect(await product.closeWindows()).toEqual([]);
    });
  });
});
