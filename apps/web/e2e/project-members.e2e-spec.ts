import { OWNER } from '@chirality/testing';
import type { BrowserContextOptions } from 'playwright-core';
import { findings } from './support/axe';
import { useBrowserStack, type BrowserStack } from './support/browser-stack';

jest.setTimeout(180_000);

const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe('who has a project', () => {
  let product: BrowserStack;
  useBrowserStack((started) => (product = started));

  it('is chosen on its page, and holds at once for those who have it open', async () => {
    const project = await product.owner.createProject('Plans');
    const session = await product.owner.createSession(project.id, { visibility: 'project', title: 'Words' });
    const ada = await product.openSignedIn(await product.newMember('Ada'));
    await ada.openSession(session.id);

    const me = await product.openSignedIn();
    await me.page.goto(`${me.url}/projects/${project.id}`);
    await me.page.getByRole('navigation', { name: 'Project' }).getByRole('link', { name: 'Members' }).click();
    await me.page.getByText('Everyone in the team can see this project').waitFor();
    await me.page.getByText('Members only', { exact: true }).click();
    await me.page
      .getByRole('dialog', { name: 'Show this project to its members only?' })
      .getByRole('button', { name: 'Members only' })
      .click();
    await me.page.getByText('Only the people below').waitFor();
    await me.page.getByText('(you)').waitFor();

    await ada.page.getByText('Page not found').first().waitFor();
    await ada.page.goto(`${ada.url}/projects/${project.id}`);
    await ada.page.getByText('Page not found').first().waitFor();
    await ada.page.goto(ada.url);
    expect(await ada.page.getByRole('link', { name: /Plans/ }).count()).toBe(0);

    const person = me.page.getByRole('combobox', { name: 'Person' });
    await person.selectOption({ label: 'Ada (ada@example.test)' });
    await me.page.getByRole('combobox', { name: 'Role in this project' }).selectOption('read');
    await me.page.getByRole('button', { name: 'Add' }).click();
    await me.page.getByRole('combobox', { name: 'Role of Ada in this project' }).waitFor();
    expect(await findings(me)).toEqual([]);
    if (process.env['PICTURES']) await me.page.screenshot({ path: `${process.env['PICTURES']}/members.png` });

    await ada.page.goto(`${ada.url}/sessions/${session.id}`);
    await ada.page.getByRole('button', { name: 'Files and changes' }).waitFor();
    await ada.composer.waitFor({ state: 'detached' });
    await me.page.getByRole('combobox', { name: 'Role of Ada in this project' }).selectOption('write');
    await ada.page.reload();
    await ada.composer.waitFor();

    await me.page.getByRole('button', { name: 'Leave the project' }).click();
    await me.page.getByRole('dialog', { name: 'Leave this project?' }).getByRole('button', { name: 'Leave' }).click();
    await me.page.getByText('Let another member manage it first').waitFor();
  });

  it('can be read and changed on a phone', async () => {
    const project = await product.owner.createProject('Small plans');
    const me = await product.openSignedIn(OWNER, PHONE);
    await me.page.goto(`${me.url}/projects/${project.id}/members`);
    await me.page.getByText('No one has been added.').waitFor();
    expect(await findings(me)).toEqual([]);
    expect(await me.overflowsSideways()).toBe(false);
    if (process.env['PICTURES']) await me.page.screenshot({ path: `${process.env['PICTURES']}/members-phone.png` });
  });
});
