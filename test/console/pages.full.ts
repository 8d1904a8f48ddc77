// The other pages of the console in Chromium: signing in, games, keys, players, files, rooms, history, system.

import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { Leaderboard } from '../../clients/javascript/score-shapes.ts'
import { eventually } from '../until.ts'
import { bash, type ConsoleWorld, copied, goTo, openConsole, signIn } from './console-world.ts'
import { sendInRoom } from './room-member.ts'

const HOSTILE = '<img src=x onerror=alert(1)>\u{1F3F4}\u200d\u2620\ufe0f"\'`{7}'

describe('console: pages', () => {
  let world: ConsoleWorld
  let page: Page

  before(async () => {
    world = await openConsole()
    page = await world.open()
  })
  after(() => world?.close())

  const dialog = () => page.getByRole('dialog')
  /** Saves the new key that is shown, and closes its dialog. The file. */
  async function storeKey(): Promise<string> {
    const saving = page.waitForEvent('download')
    await act('Save key file')
    const file = await readFile(await (await saving).path(), 'utf8')
    await act('I have stored it')
    return file
  }
  const act = (name: string) => dialog().getByRole('button', { name, exact: true }).click()

  it('signs the operator in by the key file, creates a game and shows its key once', async () => {
    await page.locator('input[type=file]').setInputFiles(world.operatorFile)
    await page.getByRole('heading', { level: 1, name: 'Games' }).waitFor()
    expect(
      await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link').allTextContents(),
    ).to.deep.equal(['Games', 'System'])
    await page.getByRole('button', { name: 'Create game' }).click()
    await dialog().getByLabel('Name').fill('Second game')
    await act('Create game')
    await dialog().getByText('The secret is shown only this time').waitFor()
    await storeKey()
    await page.getByRole('rowheader', { name: 'Second game' }).waitFor()
  })

  it('closes the dialog of a new key only by its button, and only once the key was copied or saved', async () => {
    await page.getByRole('button', { name: 'Create game' }).click()
    await dialog().getByLabel('Name').fill('Third game')
    await act('Create game')
    await dialog().getByText('The secret is shown only this time').waitFor()
    for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key)
    await dialog().getByRole('button', { name: 'I have stored it' }).click({ force: true })
    expect(await dialog().isVisible()).to.equal(true)
    const file = JSON.parse(await storeKey()) as { prefix: string; secret: string; game: string }
    expect(await dialog().count()).to.equal(0)
    const other = await world.open()
    await signIn(other, file)
    await other.context().close()
  })

  it('enters a game by its row, shows its name and pages, switches to another one, and keeps it in the address', async () => {
    await page.getByRole('rowheader', { name: 'Scorebook demo' }).getByRole('link').click()
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link')
    await pages.getByText('Players', { exact: true }).waitFor()
    for (const name of ['Players', 'Files', 'Rooms', 'History', 'Keys']) await goTo(page, name)
    await page.getByRole('rowheader', { name: 'first server key' }).waitFor()
    await page.locator('.game').getByText('Scorebook demo').waitFor()
    expect(new URL(page.url()).searchParams.get('game')).to.equal(world.game)
    await page.getByRole('button', { name: 'Switch game' }).click()
    await dialog().getByLabel('Find a game').fill('second')
    await dialog().getByRole('link', { name: 'Second game' }).click()
    await page.locator('.game').getByText('Second game').waitFor()
    await page.goBack()
    await page.locator('.game').getByText('Scorebook demo').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  })

  it('issues a key of the game as the operator', async () => {
    await page.getByRole('button', { name: 'Issue key' }).click()
    await dialog().getByLabel('Name').fill('by the operator')
    await act('Issue key')
    await storeKey()
    await page.getByRole('rowheader', { name: 'by the operator' }).waitFor()
  })

  it('verifies the views, and rebuilds them with the result over a reload', async () => {
    await goTo(page, 'System')
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    await page.getByText(/^Equal: all /).waitFor()
    await page.getByRole('button', { name: 'Rebuild', exact: true }).click()
    await page.getByText(/^The new views are in use since/).waitFor()
  })

  it('forgets the key of a page that did not keep it, and returns to the same page after signing in', async () => {
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).pathname).to.equal('/console/system')
    await page.locator('input[type=file]').setInputFiles(world.operatorFile)
    await page.getByRole('heading', { level: 1, name: 'System' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  })

  it('signs in, creates a leaderboard, and bans and unbans a player by keyboard alone', async () => {
    await page.getByLabel('Key prefix').focus()
    await page.keyboard.type(world.gameKey.prefix)
    await page.keyboard.press('Tab')
    await page.keyboard.type(world.gameKey.secret)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await page.goto(`${world.url}/console/leaderboards`)
    await pressOn(page, 'Create leaderboard')
    await page.keyboard.type(HOSTILE)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()
    await pressOn(page, 'Players')
    await page.getByRole('heading', { level: 1, name: 'Players' }).waitFor()
    await page.locator('tbody a').first().focus()
    await page.keyboard.press('Enter')
    await pressOn(page, 'Ban player')
    await page.keyboard.press('Escape')
    await eventually(async () => (await page.evaluate('document.activeElement.textContent')) === 'Ban player')
    await page.keyboard.press('Enter')
    await page.keyboard.type('testing')
    await page.keyboard.press('Enter')
    await pressOn(page, 'Unban player')
    await page.getByRole('button', { name: 'Ban player' }).waitFor()
  })

  it('renames a player to a hostile name, shows it inert, and signs them out', async () => {
    await page.getByRole('button', { name: 'Rename player' }).click()
    await dialog().getByLabel('Name').fill(HOSTILE)
    await act('Rename player')
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()
    await page.getByRole('button', { name: 'Sign out player' }).click()
    await act('Sign out player')
    await page.getByText('All sessions of the player have ended.').waitFor()
    await page.getByText('The player is signed in nowhere.').waitFor()
  })

  it('issues a key whose shell snippet runs, changes its permissions, and revokes it', async () => {
    await goTo(page, 'Keys')
    await page.getByRole('button', { name: 'Issue key' }).click()
    await dialog().getByLabel('Name').fill('analyst')
    await dialog().getByLabel('Preset').selectOption({ label: 'Read-only analyst' })
    await act('Issue key')
    await dialog().getByRole('button', { name: 'Copy Shell' }).click()
    const answer = JSON.parse(await bash(await copied(page))) as { id: string }
    expect(answer.id).to.equal(world.game)
    await act('I have stored it')
    const row = page.getByRole('row', { name: /analyst/ })
    await row.getByRole('button', { name: 'Change permissions' }).click()
    expect(await dialog().getByLabel('Read the settings of the game').isChecked()).to.equal(true)
    await act('Edit as text')
    await dialog().getByLabel('Permissions').fill(`gm:${world.game}:details`)
    await act('Change permissions')
    await row.getByText('1 permission', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Revoke key' }).click()
    await act('Revoke key')
    await row.getByText('Revoked').waitFor()
  })

  it('signs with an Ed25519 key in the shell and in the browser, and explains what its permissions exclude', async () => {
    await page.getByRole('button', { name: 'Issue key' }).click()
    await dialog().getByLabel('Name').fill('nothing')
    await dialog().getByLabel('Kind').selectOption('server')
    await dialog().getByLabel('Algorithm').selectOption('ed25519')
    await act('Edit as text')
    await dialog().getByLabel('Permissions').fill(`gm:${world.game}:details`)
    await act('Issue key')
    await dialog().getByRole('button', { name: 'Copy Shell' }).click()
    expect(JSON.parse(await bash(await copied(page)))).to.include({ id: world.game })
    await dialog().getByRole('button', { name: 'Copy key file' }).click()
    const file = await copied(page)
    await act('I have stored it')
    const other = await world.open()
    await other
      .locator('input[type=file]')
      .setInputFiles({ name: 'key.json', mimeType: 'application/json', buffer: Buffer.from(file) })
    await other.getByText(`lacks the permission gm:${world.game}:history`).waitFor()
    for (const name of ['Players', 'Files', 'Rooms', 'Keys', 'History']) {
      await goTo(other, name)
      await other.getByRole('heading', { level: 2, name: 'Your key may not do this' }).waitFor()
    }
    await other.context().close()
  })

  it('shows what people did in sentences with names, by type and time, and keeps the filter in the address', async () => {
    await goTo(page, 'History')
    const rows = page.getByRole('region', { name: 'What people did' }).locator('tbody tr')
    await rows.first().getByText('first server key issued the key nothing').waitFor()
    await page.getByLabel('Type').selectOption({ label: 'Player banned' })
    await page.getByRole('button', { name: 'Show events' }).click()
    await rows.first().getByText('testing').waitFor()
    expect(await rows.count()).to.equal(1)
    await page.reload()
    await rows.first().getByText('testing').waitFor()
    await page.getByLabel('Type').selectOption({ label: 'Leaderboard created' })
    await page.getByRole('button', { name: 'Show events' }).click()
    await rows.first().getByText('created the leaderboard').waitFor()
    const { leaderboards } = await world.get<{ leaderboards: Leaderboard[] }>(`/api/gm/${world.game}/lb/`)
    const sentences = leaderboards.map(({ name }) => `first server key created the leaderboard ${name}`)
    expect(sentences).to.include((await rows.first().locator('td.sentence').innerText()).trim())
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByLabel('To', { exact: true }).fill('2020-01-01T00:00')
    await page.getByRole('button', { name: 'Show events' }).click()
    await page.getByRole('heading', { name: 'No events' }).waitFor()
    await page.goBack()
    await rows.first().getByText('first server key issued the key nothing').waitFor()
  })

  it('shows events as they come, one in full, and all of one request', async () => {
    await goTo(page, 'History')
    await page.getByRole('tab', { name: 'All events' }).click()
    await page.getByText('Following.').waitFor()
    const row = page.getByRole('region', { name: 'Events' }).locator('tbody tr').first()
    await row.getByRole('button', { name: 'KeyIssued' }).waitFor()
    await row.locator('td').nth(4).getByText('first server key', { exact: true }).waitFor()
    const request = await row.locator('td').nth(5).textContent()
    await row.getByRole('button', { name: 'KeyIssued' }).click()
    await dialog().getByText(`"request": "${request}"`).waitFor()
    await dialog().getByRole('link', { name: 'All events of this request' }).click()
    await eventually(async () => new URL(page.url()).searchParams.get('request') === request)
    await row.getByRole('button', { name: 'KeyIssued' }).waitFor()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('The command contains the token of your session').waitFor()
    const lines = (await bash(await copied(page))).trim().split('\n')
    expect(lines.every((line) => JSON.parse(line).meta.request === request)).to.equal(true)
  })

  it('uploads a file, explains and sets the rules of its folder, downloads and deletes it', async () => {
    await goTo(page, 'Files')
    await page.getByRole('button', { name: 'Upload' }).waitFor()
    const content = Buffer.from('hello')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: `${HOSTILE.replace(/[/\\]/g, '')}.txt`, mimeType: 'text/plain', buffer: content })
    await page.getByText('was uploaded').waitFor()
    const row = page.getByRole('row', { name: /onerror/ })
    const saving = page.waitForEvent('download')
    await row.getByRole('button', { name: 'Download' }).click()
    expect(await readFile(await (await saving).path(), 'utf8')).to.equal('hello')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByRole('columnheader', { name: 'Because' }).waitFor()
    await page.getByLabel('List files: Nobody').check()
    await page.getByRole('button', { name: 'Set rules' }).click()
    await page.getByText('The rules were set.').waitFor()
    await row.getByRole('button', { name: 'Delete file' }).click()
    await act('Delete file')
    await row.waitFor({ state: 'detached' })
  })

  it('listens to a room without taking a seat', async () => {
    await goTo(page, 'Rooms')
    const member = await sendInRoom(world)
    const row = page.getByRole('row', { name: /Console test/ })
    await row.getByRole('button', { name: 'Watch room' }).click()
    await page.getByText('Listening.').waitFor()
    await member.say({ text: HOSTILE })
    await page.getByText('onerror').first().waitFor()
    await page.getByText('1 of 8 members').waitFor()
    member.close()
  })

  it('loads less than 60 KiB of script and style, compressed, up to the start page', async () => {
    const fresh = await world.open()
    let bytes = 0
    fresh.on('response', async (response) => {
      if (/\/console\/assets\//.test(response.url()))
        bytes += Number(response.headers()['content-length'] ?? Number.NaN)
    })
    await fresh.reload()
    await fresh.getByLabel('Key prefix').fill(world.gameKey.prefix)
    await fresh.getByLabel('Secret').fill(world.gameKey.secret)
    await fresh.getByRole('button', { name: 'Sign in' }).click()
    await fresh.getByRole('link', { name: 'High score' }).first().waitFor()
    expect(bytes).to.be.within(10_000, 60 * 1_024)
    await fresh.context().close()
  })

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})

/** Focuses a button or link by its name, and presses Enter. */
async function pressOn(page: Page, name: string): Promise<void> {
  const target = page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true }))
  await target.first().focus()
  await page.keyboard.press('Enter')
}
