// States of the console that a server which works does not show: made by answers that the browser gets instead.

import type { Page } from 'playwright-core'
import { goTo } from './console-world.ts'
import type { State } from './states.ts'

const PLAYERS = /\/players\/\?/

const problem = (status: number, code: string, detail: string, more: object = {}) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ status, code, title: code, detail, ...more }),
})

const answerPlayers = (page: Page, answer: ReturnType<typeof problem>) =>
  page.route(PLAYERS, (route) => route.fulfill(answer))

const inHeading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

export const failures: readonly State[] = [
  {
    name: 'state-loading',
    signed: 'game',
    async show(page) {
      await page.route(PLAYERS, () => {})
      await goTo(page, 'Players')
      await page.getByRole('status', { name: 'Loading …' }).waitFor()
    },
  },
  {
    name: 'state-failed',
    signed: 'game',
    async show(page) {
      await answerPlayers(page, problem(500, 'internal', 'The server failed. Send the call again in a moment.'))
      await goTo(page, 'Players')
      await inHeading(page, 'This could not be read')
    },
  },
  {
    name: 'state-offline',
    signed: 'game',
    async show(page) {
      await goTo(page, 'Keys')
      await page.context().setOffline(true)
      await page.getByText('The browser has no network').waitFor()
    },
  },
  {
    name: 'state-unreachable',
    signed: 'game',
    async show(page) {
      await page.route(PLAYERS, (route) => route.abort('connectionrefused'))
      await page.clock.install()
      await goTo(page, 'Players')
      const failed = page.getByRole('heading', { name: 'The server does not answer' })
      while (!(await failed.isVisible())) await page.clock.runFor(1_000)
    },
  },
  {
    name: 'state-no-permission',
    signed: 'game',
    async show(page) {
      const needed = { needed: 'gm:…:players' }
      await answerPlayers(page, problem(403, 'forbidden', 'The key lacks a permission.', needed))
      await goTo(page, 'Players')
      await inHeading(page, 'Your key may not do this')
    },
  },
  {
    name: 'state-session-ended',
    signed: 'game',
    async show(page) {
      await page.route(/\/api\/handshake\//, (route) =>
        route.fulfill(problem(401, 'handshake_rejected', 'The key was revoked. Sign in with another one.')),
      )
      await answerPlayers(page, problem(401, 'token_rejected', 'The token was issued to a key that has been revoked.'))
      await page.getByRole('link', { name: 'Players', exact: true }).click()
      await inHeading(page, 'The session has ended')
    },
  },
  {
    name: 'state-out-of-date',
    signed: 'game',
    async show(page) {
      // Before the page waits for its next read: the clock has only the timers that are set after it.
      await page.clock.install()
      await goTo(page, 'Keys')
      await page.locator('tbody tr').first().waitFor()
      await page.route(/\/keys\/\?/, (route) =>
        route.fulfill(problem(503, 'store_unavailable', 'A database of the server does not answer. Try again later.')),
      )
      const stale = page.getByText('What you see may be out of date.')
      while (!(await stale.isVisible())) await page.clock.runFor(5_000)
    },
  },
]
