import { waitFor } from '@chirality/testing';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const NETWORK_COMPLAINT = /^(Failed to load resource|WebSocket connection to)/;

export type Person = { email: string; password: string };

/** One person at the dashboard, in a separate browser window. */
export class Dashboard {
  /** What the page complained of; the browser's own lines about refusals and lost connections are not in here. */
  readonly complaints: string[] = [];
  /** Requests that left for another host. */
  readonly foreignRequests: string[] = [];

  private constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  static async open(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Dashboard> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 860 },
      reducedMotion: 'reduce',
      ...options,
    });
    const dashboard = new Dashboard(await context.newPage(), url);
    dashboard.page.setDefaultTimeout(30_000);
    dashboard.page.on('pageerror', (error) => dashboard.complaints.push(error.message));
    dashboard.page.on('console', (message) => {
      if (message.type() === 'error' && !NETWORK_COMPLAINT.test(message.text()))
        dashboard.complaints.push(message.text());
    });
    context.on('request', (request) => {
      const target = new URL(request.url());
      if (/^(https?|wss?):$/.test(target.protocol) && target.origin !== new URL(url).origin)
        dashboard.foreignRequests.push(request.url());
    });
    return dashboard;
  }

  async signIn({ email, password }: Person): Promise<void> {
    await this.page.goto(`${this.url}/sign-in`);
    await this.page.getByLabel('E-mail').fill(email);
    await this.page.getByLabel('Password', { exact: true }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('heading', { name: 'Projects', level: 1 }).waitFor();
  }

  async createProject(name: string): Promise<void> {
    await this.page.goto(`${this.url}/`);
    await this.page.getByRole('button', { name: 'New project' }).first().click();
    await this.page.getByLabel('Name').fill(name);
    await this.page.getByRole('button', { name: 'Create' }).click();
    await this.page.getByRole('heading', { name, level: 1 }).waitFor();
  }

  /** Opens a new session of the project that is on screen; answers its id. */
  async createSession(): Promise<string> {
    await this.page.getByRole('button', { name: 'New session' }).first().click();
    await this.page.getByRole('dialog').getByRole('button', { name: 'Start session' }).click();
    await this.page.waitForURL(/\/sessions\//);
    await this.composer.waitFor();
    return this.page.url().split('/').at(-1) ?? '';
  }

  async openSession(sessionId: string): Promise<void> {
    await this.page.goto(`${this.url}/sessions/${sessionId}`);
    await this.composer.waitFor();
  }

  get composer() {
    return this.page.getByRole('textbox', { name: 'Message', exact: true });
  }

  get conversation() {
    return this.page.getByRole('region', { name: 'Conversation' });
  }

  get stopButton() {
    return this.page.getByRole('button', { name: 'Stop', exact: true });
  }

  async send(message: string): Promise<void> {
    await this.composer.fill(message);
    await this.composer.press('Enter');
  }

  /** Until the turn that was sent last has ended: `ends` is how many turns have ended by then. */
  async waitForEnds(ends: number): Promise<void> {
    await this.page.waitForFunction(
      (wanted) =>
        document.querySelectorAll('[data-row="turn-end"]').length >= wanted &&
        document.querySelector('[data-row="activity"]') === null,
      ends,
      { polling: 100 },
    );
  }

  /** Where the conversation is scrolled to, once it rests there: a key scrolls it over several frames. */
  async restingPlace(): Promise<number> {
    let top = NaN;
    const rests = async () => {
      const before = top;
      top = await this.conversation.evaluate((list) => list.scrollTop);
      return top === before;
    };
    await waitFor(rests, { what: 'the conversation rests', everyMs: 100 });
    return top;
  }

  /** What is read in the conversation, without times, costs and captions of icons. */
  async conversationText(): Promise<string> {
    const rows = await this.conversation.locator('[data-row="message"] article > p, [data-row="item"]').allInnerTexts();
    return rows.map((row) => row.trim()).join('\n');
  }

  /** Nothing sticks out sideways. */
  async overflowsSideways(): Promise<boolean> {
    return this.page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('main')].some(
        (element) => element.scrollWidth > element.clientWidth + 1,
      ),
    );
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
