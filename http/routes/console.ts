// Links that open the console signed in: `scorebook console` creates one, and the console redeems its code.

import { z } from 'zod'
import { CONSOLE_LINK_LIFETIME_S, makeConsoleLink, redeemConsoleLink } from '../../commands/console-link.ts'
import { count, fields } from '../fields.ts'
import { openRoute, type Route, route } from '../route.ts'
import type { RouteDeps } from './deps.ts'
import { tokenShape } from './shapes.ts'

/** Longer than any code. Other text gets the same answer as a used code. */
const CODE_MAX_CHARACTERS = 128

const linkShape = fields({
  code: z.string().meta({ description: 'Opens the console at `/console/#code=<code>`, once.' }),
  expires_in: count.meta({ description: 'Seconds.' }),
}).meta({ id: 'ConsoleLink' })

const codeText = z.string('must be the code').min(1, 'must be the code').max(CODE_MAX_CHARACTERS)
const redeemBody = fields({ code: codeText.meta({ description: 'From the link.' }) }).meta({ id: 'ConsoleCode' })

export function consoleRoutes({ consoleLinks }: Pick<RouteDeps, 'consoleLinks'>): Route[] {
  const isOff = !(consoleLinks?.isOn ?? true)
  return [
    route({
      method: 'POST',
      path: '/api/console/link/',
      summary: 'Create a link that opens the console signed in',
      needs: 'token',
      tenantOnly: true,
      records: false,
      isOff,
      answers: { 201: linkShape },
      refusals: ['rate_limited'],
      async handle({ caller, context }) {
        const { key, game, player, session, issuedWith: permissions, expiresAt } = caller
        const linked = { key, game, player, session, permissions, expiresAt }
        const code = await makeConsoleLink(consoleLinks, linked, context)
        return { status: 201, body: { code, expires_in: CONSOLE_LINK_LIFETIME_S } }
      },
    }),
    openRoute({
      method: 'POST',
      path: '/api/console/redeem/',
      summary: 'Exchange the code of a link for a bearer token',
      needs: 'nothing',
      tenantOnly: false,
      records: false,
      isOff,
      body: redeemBody,
      answers: { 200: tokenShape },
      refusals: ['sign_in_rejected'],
      rates: ['handshake'],
      handle: async ({ body, context }) => ({
        status: 200,
        body: await redeemConsoleLink(consoleLinks, body.code, context.nowMs),
      }),
    }),
  ]
}
