// What all pages of the console share, in Chromium: state in the address, the search, themes, notices, copied calls.

import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { eventually } from '../until.ts'
import { type ConsoleWorld, copied, goTo, openConsole, signIn } from './console-world.ts'

/** More than a page of a list has. */
const BOARDS = 60

/** Whether two boxes share a point. */
const OVERLAPS = `(() => {
  const notice = document.querySelector('.toasts').getBoundingClientRect()
  const main = document.querySelector('main').getBoundingClientRect()
  const side = document.querySelector('.side').getBoundingClientRect()
  const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
  return notice.height > 0 && !(apart(notice, main) && apart(notice, side))
})()`

describe('console: what all pages share', () => {
  let world: ConsoleWorld
  let page: Page
  before(async () => {
    world = await openConsole()
    page = await world.open()
    await signIn(page, world.gameKey)
  })
  after(() => world?.close())

  const rows = () => page.locator('tbody tr')
  const query = () => Object.fromEntries(new URL(page.url()).searchParams)

  it('shows the same page of a list after a reload, Back, and in a new tab', async () => {
    await goTo(page, 'Players')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('51 to 60 of 60').waitFor()
    const second = await rows().allTextContents()
    expect(query()).to.deep.equal({ offset: '50' })
    await page.reload()
    await page.getByText('51 to 60 of 60').waitFor()
    expect(await rows().allTextContents()).to.deep.equal(second)
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await tab.getByText('51 to 60 of 60').waitFor()
    await tab.close()
    await page.goBack()
    await page.getByText('1 to 50 of 60').waitFor()
  })

  it('makes one step of a search, whose letters are none', async () => {
    await page.getByLabel('Search').pressSequentially('otter', { delay: 1 })
    await eventually(async () => query().search === 'otter')
    await page.goBack()
    await page.getByText('1 to 50 of 60').waitFor()
    expect(query()).to.deep.equal({})
    expect(await page.getByLabel('Search').inputValue()).to.equal('')
    await page.goForward()
    await eventually(async () => (await page.getByLabel('Search').inputValue()) === 'otter')
  })

  it('keeps letters that are typed while the address takes those before', async () => {
    await goTo(page, 'Overview')
    await goTo(page, 'Players')
    await page.getByText('1 to 50 of 60').waitFor()
    await page.evaluate(`{
      const input = document.querySelector('input[type=search]')
      const push = history.pushState
      history.pushState = (...step) => {
        history.pushState = push
        push.apply(history, step)
        input.value += 'ter'
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    }`)
    await page.getByLabel('Search').fill('ot')
    await eventually(async () => query().search !== undefined)
    await eventually(async () => query().search !== 'ot')
    expect([query().search, await page.getByLabel('Search').inputValue()]).to.deep.equal(['otter', 'otter'])
  })

  it('searches a list of several pages on all of them', async () => {
    for (let board = 0; board < BOARDS; board++) {
      await world.send('POST', `/api/gm/${world.game}/lb/`, { name: `Extra ${board}`, ordering: 'desc' })
    }
    await goTo(page, 'Leaderboards')
    await page.getByText(/^1 to 50 of /).waitFor()
    await page.getByLabel('Search').fill(`extra ${BOARDS - 1}`)
    await eventually(async () => (await rows().count()) === 1)
    await page.getByRole('link', { name: `Extra ${BOARDS - 1}` }).waitFor()
  })

  it('finds leaderboards, players, keys, pages and actions by `/` and by Ctrl K', async () => {
    await goTo(page, 'Keys')
    const find = async (keys: string, text: string) => {
      await page.keyboard.press(keys)
      await page.getByRole('combobox', { name: 'Search' }).fill(text)
      const found = page.getByRole('listbox').getByRole('option')
      await found.first().waitFor()
      return found.allTextContents()
    }
    await page.getByRole('heading', { level: 1 }).focus()
    expect(await find('/', 'fastest')).to.deep.equal(['LeaderboardFastest lapfastest-lap'])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Fastest lap' }).waitFor()
    const { players } = await world.get<{ players: { id: string; name: string }[] }>(`/api/gm/${world.game}/players/`)
    const player = players[0] as { id: string; name: string }
    await find('Control+k', player.name)
    await page.getByRole('option', { name: player.id }).click()
    await page.getByRole('heading', { level: 1, name: player.name }).waitFor()
    await find('Control+k', 'ban player')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Reason').waitFor()
    await page.keyboard.press('Escape')
    await find('Control+k', 'first server key')
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'first server key' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).to.equal(0)
  })

  it('types a slash into a field', async () => {
    await goTo(page, 'Players')
    await page.getByLabel('Search').focus()
    await page.keyboard.type('a/b')
    expect(await page.getByLabel('Search').inputValue()).to.equal('a/b')
    expect(await page.getByRole('dialog').count()).to.equal(0)
  })

  it('has the theme of the system, or the one that was chosen, also after a reload', async () => {
    const hasTheme = (theme: string) =>
      eventually(async () => (await page.evaluate('document.documentElement.dataset.theme')) === theme)
    await hasTheme('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    await hasTheme('dark')
    await page.getByLabel('Theme').selectOption('light')
    await hasTheme('light')
    await page.reload()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await hasTheme('light')
    await page.getByLabel('Theme').selectOption('system')
    await hasTheme('dark')
    await page.emulateMedia({ colorScheme: 'light' })
  })

  it('copies the call in the language that was chosen last', async () => {
    await goTo(page, 'Players')
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await eventually(async () => (await copied(page)).startsWith('curl '))
    await page.getByRole('button', { name: '</>' }).click()
    await page.getByRole('menuitem', { name: 'Copy as TypeScript' }).click()
    await eventually(async () => (await copied(page)).startsWith('import '))
    await page.reload()
    await page.getByRole('button', { name: 'Copy as TypeScript' }).waitFor()
    await page.getByRole('button', { name: '</>' }).press('Enter')
    await page.keyboard.press('Enter')
    await eventually(async () => (await copied(page)).startsWith('curl '))
  })

  it('covers nothing with a notice, at 1440 and at 360 px', async () => {
    for (const width of [1_440, 360]) {
      await page.setViewportSize({ width, height: 740 })
      await goTo(page, 'Players')
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      await page.locator('.toasts').getByText('Copied').first().waitFor()
      expect(await page.evaluate(OVERLAPS)).to.equal(false)
    }
    await page.setViewportSize({ width: 1_440, height: 900 })
  })

  it('shows an action in all parts of the page that it concerns, without a reload', async () => {
    const { players } = await world.get<{ players: { id: string; name: string }[] }>(`/api/gm/${world.game}/players/`)
    const player = players[1] as { id: string; name: string }
    await page.goto(`${world.url}/console/players/${player.id}`)
    await page.getByRole('row', { name: /Experience/ }).waitFor()
    await page.getByRole('button', { name: 'Ban player' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Ban player' }).click()
    await page.getByText('The player has no entry on any leaderboard.').waitFor()
    const events = page.getByRole('region', { name: 'Events' })
    await events.getByRole('button', { name: 'PlayerBanned' }).waitFor()
  })

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})
