import { OWNER, startStack, TestClient, type Stack, type StackOptions } from '@chirality/testing';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { launchChromium } from './chromium';
import { Dashboard, type Person } from './dashboard';

/** The whole product and a browser to use it with. */
export class BrowserStack {
  private readonly opened: Dashboard[] = [];

  private constructor(
    readonly stack: Stack,
    readonly browser: Browser,
    /** The owner, at the REST interface. */
    readonly owner: TestClient,
  ) {}

  static async start(options: StackOptions = {}): Promise<BrowserStack> {
    const [stack, browser] = await Promise.all([startStack(options), launchChromium()]);
    return new BrowserStack(stack, browser, await TestClient.login(stack.url, OWNER.email, OWNER.password));
  }

  async open(options?: BrowserContextOptions): Promise<Dashboard> {
    const dashboard = await Dashboard.open(this.browser, this.stack.url, options);
    this.opened.push(dashboard);
    return dashboard;
  }

  async openSignedIn(person: Person = OWNER, options?: BrowserContextOptions): Promise<Dashboard> {
    const dashboard = await this.open(options);
    await dashboard.signIn(person);
    return dashboard;
  }

  /** A session of a new project, shared with everyone in it. */
  async newSession(name = 'Demo'): Promise<string> {
    const project = await this.owner.createProject(name);
    return (await this.owner.createSession(project.id, { visibility: 'project' })).id;
  }

  /** Another member of the owner's team. */
  async newMember(name: string): Promise<Person> {
    const me = await this.owner.call<{ teams: { id: string }[] }>('GET', '/v1/me');
    const person = { email: `${name.toLowerCase()}@example.test`, password: 'their own password here' };
    const invitation = await this.owner.call<{ token: string }>(
      'POST',
      `/v1/teams/${me.body.teams[0]?.id}/invitations`,
      { email: person.email, role: 'member' },
    );
    const accepted = await this.owner.call('POST', `/v1/invitations/${invitation.body.token}/accept`, {
      name,
      password: person.password,
    });
    if (accepted.status !== 200) throw new Error(`${name} could not join: ${JSON.stringify(accepted.body)}`);
    return person;
  }

  /** Closes the windows that tests have opened, and answers what their pages complained of. */
  async closeWindows(): Promise<string[]> {
    const windows = this.opened.splice(0);
    await Promise.all(windows.map((dashboard) => dashboard.close()));
    return windows.flatMap((dashboard) => dashboard.complaints);
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.stack.stop();
  }
}

/**
 * The product for the tests of one `describe`: there before the first of them, stopped after the last. A window that
 * logged an error fails the test that opened it.
 */
export function useBrowserStack(take: (started: BrowserStack) => void, options?: StackOptions): void {
  let product: BrowserStack | undefined;
  beforeAll(async () => {
    product = await BrowserStack.start(options);
    take(product);
  });
  afterEach(async () => {
    expect(await product?.closeWindows()).toEqual([]);
  });
  afterAll(() => product?.stop());
}
