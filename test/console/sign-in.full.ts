// Signing in to the console in Chromium: by key file, by the link of `scorebook console`, and what ends a session.

import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { type ConsoleWorld, goTo, type KeyOnDisk, openConsole, signIn } from './console-world.ts'

const HOUR_MS = 3_600_000

describe('console: signing in', () => {
  let world: ConsoleWorld
  before(async () => {
    world = await openConsole()
  })
  after(() => world?.close())

  const notice = (page: Page, title: string) => page.getByRole('heading', { level: 2, name: title }).waitFor()
  const signedIn = (page: Page) => page.getByRole('button', { name: 'Sign out' }).waitFor()
  async function link(...args: string[]): Promise<string> {
    const { url } = await world.service.json<{ url: string }>('console', '--print', ...args)
    return `${world.url}/console/${new URL(url).hash}`
  }
  async function follow(address: string): Promise<Page> {
    const page = await world.open({ failsOnPurpose: true })
    await page.goto('about:blank')
    await page.goto(address)
    return page
  }

  it('opens the console by the link of `scorebook console`, whose code leaves the address and works once', async () => {
    const address = await link('--game', world.game)
    const page = await follow(address)
    await signedIn(page)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).to.equal(`${world.url}/console/`)
    await page.goBack()
    expect(page.url()).to.equal('about:blank')
    const second = await follow(address)
    await notice(second, 'This link does not sign in')
    await second.getByText('The code of this link is used, expired or unknown.').waitFor()
    expect(second.url()).to.equal(`${world.url}/console/`)
    for (const one of [page, second]) await one.context().close()
  })

  it('opens the operator’s pages by a link of the operator', async () => {
    const page = await follow(await link())
    await page.getByRole('heading', { level: 1, name: 'Games' }).waitFor()
    await page.context().close()
  })

  it('says when a session that a link opened is over, and returns to the page after signing in with a key', async () => {
    const page = await follow(await link('--game', world.game))
    await signedIn(page)
    await page.clock.install({ time: new Date(Date.now() + HOUR_MS) })
    await page.getByRole('link', { name: 'Players', exact: true }).click()
    await notice(page, 'The session has ended')
    await page.getByText('Run `scorebook console` again, or sign in with a key.').waitFor()
    await signIn(page, world.gameKey)
    await page.getByRole('heading', { level: 1, name: 'Players' }).waitFor()
    await page.context().close()
  })

  it('runs one new handshake when a token is refused, and ends the session of a revoked key', async () => {
    const key = await world.service.json<KeyOnDisk>('key', 'issue', '--game', world.game, '--kind', 'server')
    const page = await world.open({ failsOnPurpose: true })
    await signIn(page, key)
    let refusals = 1
    await page.route(/\/players\/\?/, (route) => {
      if (refusals-- <= 0) return route.fallback()
      const body = JSON.stringify({ status: 401, code: 'token_rejected', title: 'Rejected', detail: 'Expired.' })
      return route.fulfill({ status: 401, contentType: 'application/problem+json', body })
    })
    await goTo(page, 'Players')
    await page.locator('tbody tr').first().waitFor()
    expect(refusals).to.equal(-1)
    await world.service.json('key', 'revoke', key.prefix, '--game', world.game)
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await notice(page, 'The session has ended')
    expect(new URL(page.url()).pathname).to.equal('/console/keys')
    await page.reload()
    await page.getByLabel('Key prefix').waitFor()
    expect(await page.evaluate('sessionStorage.length')).to.equal(0)
    await page.context().close()
  })

  it('keeps what it read when the network goes, says so, and continues when it is back', async () => {
    const page = await world.open({ failsOnPurpose: true })
    await signIn(page, world.gameKey)
    await goTo(page, 'Players')
    const rows = page.locator('tbody tr')
    await rows.first().waitFor()
    const before = await rows.allTextContents()
    await page.context().setOffline(true)
    await page.getByText('The browser has no network').waitFor()
    expect(await rows.allTextContents()).to.deep.equal(before)
    await page.context().setOffline(false)
    await page.getByText('The browser has no network').waitFor({ state: 'detached' })
    await page.getByLabel('Search').fill(before[0]?.slice(0, 5) ?? '')
    await page.getByText('of 60').waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('continues the session in a second tab without the secret, and ends both with one “Sign out”', async () => {
    const page = await world.open()
    await page.getByLabel('Key prefix').fill(world.gameKey.prefix)
    await page.getByLabel('Secret').fill(world.gameKey.secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signedIn(page)
    const second = await page.context().newPage()
    await second.addInitScript(
      "window.heard = []; new BroadcastChannel('scorebook-console').onmessage = ({ data }) => heard.push(JSON.stringify(data))",
    )
    await second.goto(`${world.url}/console/players?search=otter`)
    await second.locator('tbody tr').first().waitFor()
    const heard = await second.evaluate<string[]>('heard')
    expect(heard.some((text) => text.includes('"kind":"hand"'))).to.equal(true)
    expect(heard.filter((text) => text.includes(world.gameKey.secret))).to.deep.equal([])
    expect(await second.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).to.not.include(
      world.gameKey.secret,
    )
    await second.getByRole('button', { name: 'Sign out' }).click()
    for (const one of [page, second]) await one.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    await page.context().close()
  })

  it('asks in a new tab which session to continue, where tabs have different keys', async () => {
    const page = await world.signedIn(world.gameKey)
    const operator = await page.context().newPage()
    await operator.goto(await link())
    await operator.getByRole('heading', { level: 1, name: 'Games' }).waitFor()
    const third = await page.context().newPage()
    await third.goto(`${world.url}/console/players`)
    await third.getByRole('heading', { level: 2, name: 'Other tabs are signed in' }).waitFor()
    await third.getByRole('button', { name: 'Continue as Sign-in link' }).waitFor()
    await third.getByRole('button', { name: `Continue as ${world.gameKey.prefix}` }).click()
    await third.locator('tbody tr').first().waitFor()
    await page.context().close()
  })

  it('says on a page that is not secure why it cannot sign, and what to do', async () => {
    const page = await world.open({ failsOnPurpose: true })
    await page.addInitScript("Object.defineProperty(window, 'isSecureContext', { value: false })")
    await page.reload()
    await page.getByRole('heading', { level: 2, name: 'This page is not secure' }).waitFor()
    expect(await page.getByLabel('Secret').count()).to.equal(0)
    await page.context().close()
  })

  it('did nothing on the way that no page may do', () => {
    expect(world.faults).to.deep.equal([])
  })
})
