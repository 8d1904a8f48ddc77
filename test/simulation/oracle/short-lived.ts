// Judges what the log does not contain: tickets and codes that are valid once and for minutes, and limits on attempts.
// The evidence is what callers sent and received, and when.

import { CODE_LIFETIME_MS, CODE_TRIES_PER_NETWORK } from '../../../commands/sign-in/code.ts'
import { FAILURES_PER_LOGIN, FAILURES_WITHIN_MS } from '../../../commands/sign-in/lock-out.ts'
import { MAILS_PER_EMAIL } from '../../../commands/sign-in/mail-code.ts'
import { TICKET_LIFETIME_S } from '../../../commands/sign-in/ticket.ts'
import { unsafeCast } from '../../../domain/event.ts'
import { DEFAULT_ADDRESS_LIMITS } from '../../../runtime/rate-limits.ts'
import { CLOCK_BACK_MAX_MS } from '../../../stores/contract/transient.ts'
import {
  byCode,
  byPassword,
  type CodeArgs,
  mailCode,
  makeTicket,
  redeemTicket,
  type TicketArgs,
} from '../callers/sign-ins.ts'
import type { Attempt, History, Sending } from '../history.ts'
import { SKEW_MS } from '../world/step-scheduler.ts'

/** `began`: commands for which a session was recorded. */
export function checkShortLived(history: History, began: ReadonlySet<string>): string[] {
  const of = (name: string) => history.sendings.filter(({ call }) => call.name === name)
  return [
    ...checkTickets(of(makeTicket.name), of(redeemTicket.name), began, history),
    ...checkCodes(of(mailCode.name), of(byCode.name), began, history),
    ...checkLimits(of(mailCode.name), of(byPassword.name), began, history),
  ]
}

const outcomeOf = ({ outcome }: Attempt): string => (outcome.kind === 'refused' ? outcome.code : outcome.kind)
const attemptsOf = (sendings: readonly Sending[]): Attempt[] => sendings.flatMap(({ attempts }) => attempts)
const isVoided = ({ world }: History, fromMs: number, toMs: number) =>
  world.voidedMs.some((ms) => ms >= fromMs && ms <= toMs)

/** Exactly one winner, in time; a refused caller was late, lost the race, or the store lost the ticket. */
function checkTickets(
  made: readonly Sending[],
  redeemed: readonly Sending[],
  began: ReadonlySet<string>,
  history: History,
): string[] {
  const defects: string[] = []
  for (const making of made) {
    const shown = making.attempts.find(({ outcome }) => outcome.kind === 'answered')
    if (shown?.outcome.kind !== 'answered') continue
    const { ticket } = unsafeCast<{ ticket: string }>(shown.outcome.ran.answer)
    const redeeming = redeemed.filter(({ call }) => unsafeCast<TicketArgs>(call.args).ticket === ticket)
    const winners = redeeming.filter(({ command }) => began.has(command))
    if (winners.length > 1) defects.push(`ticket ${ticket} let ${winners.length} in`)
    const lasts = making.attempts.map(({ nowMs }) => nowMs + TICKET_LIFETIME_S * 1_000)
    for (const { attempts } of winners)
      if (attempts.every(({ nowMs }) => nowMs >= Math.max(...lasts))) defects.push(`ticket ${ticket} was over`)
    const all = attemptsOf(redeeming)
    const [first = Number.POSITIVE_INFINITY] = making.attempts.map(({ beganMs }) => beganMs)
    for (const one of all) {
      const isBeaten = all.some((other) => other !== one && other.beganMs <= one.endedMs)
      const isLate = one.nowMs >= Math.min(...lasts)
      const isRemade = making.attempts.length > 1
      if (outcomeOf(one) !== 'sign_in_rejected' || isBeaten || isLate || isRemade) continue
      if (isVoided(history, first, one.endedMs) || isGone(redeeming, history)) continue
      defects.push(`ticket ${ticket} was refused, and nothing tells why`)
    }
  }
  return defects
}

/** A player was deleted: the owner of the ticket may get no answer. */
const isGone = (_: unknown, { sendings }: History) => sendings.some(({ call }) => call.name === 'delete player')

function checkCodes(
  mailings: readonly Sending[],
  verified: readonly Sending[],
  began: ReadonlySet<string>,
  history: History,
): string[] {
  const defects: string[] = []
  for (const [mail, { email, askedMs, sentMs }] of history.world.mailed.entries()) {
    const ofEmail = verified.filter(({ call }) => unsafeCast<CodeArgs>(call.args).email === email)
    const own = ofEmail.filter(({ call }) => unsafeCast<CodeArgs>(call.args).mail === mail)
    const winners = own.filter(({ command }) => began.has(command))
    if (winners.length > 1) defects.push(`code ${mail} let ${winners.length} in`)
    for (const { call, attempts } of winners) {
      if (unsafeCast<CodeArgs>(call.args).isWrong) defects.push(`another code than ${mail} let somebody in`)
      if (attempts.every(({ nowMs }) => nowMs >= askedMs + CODE_LIFETIME_MS)) defects.push(`code ${mail} was over`)
      const later = mailings.filter((one) => unsafeCast<CodeArgs>(one.call.args).email === email)
      const isReplaced = ({ beganMs }: Attempt) =>
        attemptsOf(later).some((one) => one.beganMs > sentMs && outcomeOf(one) === 'answered' && one.endedMs < beganMs)
      if (attempts.every(isReplaced)) defects.push(`code ${mail} had been replaced`)
    }
    const asked = attemptsOf(mailings.filter(({ call }) => unsafeCast<CodeArgs>(call.args).email === email))
    const firstMs = Math.min(sentMs, ...asked.filter((one) => isDuring(one, sentMs)).map(({ beganMs }) => beganMs))
    const guesses = attemptsOf(ofEmail).filter(({ beganMs }) => beganMs >= sentMs)
    for (const { call, attempts } of own) {
      if (unsafeCast<CodeArgs>(call.args).isWrong) continue
      for (const one of attempts) {
        const before = guesses.filter((other) => other !== one && other.beganMs <= one.endedMs)
        const isBeaten = attemptsOf(own).some((other) => other !== one && other.beganMs <= one.endedMs)
        const isLate = one.nowMs >= askedMs + CODE_LIFETIME_MS - (askedMs - earliest(mailings, email, sentMs)) - SKEW_MS
        // Of concurrent calls, each may have replaced the others' code, in any order of mails. Without concurrent
        // calls, no other call may have replaced it.
        const isReplaced =
          asked.filter(({ beganMs, endedMs }) => endedMs >= firstMs && beganMs <= one.endedMs).length > 1
        if (outcomeOf(one) !== 'sign_in_rejected' || isBeaten || isLate || isReplaced) continue
        if (before.length >= CODE_TRIES_PER_NETWORK || isVoided(history, 0, one.endedMs) || isGone(own, history))
          continue
        defects.push(`code ${mail} was refused, and nothing tells why`)
      }
    }
  }
  return defects
}

const isDuring = ({ beganMs, endedMs }: Attempt, ms: number): boolean => beganMs <= ms && ms <= endedMs

/** The earliest time at which the call that sent a mail may have started. */
function earliest(mailings: readonly Sending[], email: string, sentMs: number): number {
  const own = mailings.filter(({ call }) => unsafeCast<CodeArgs>(call.args).email === email)
  const times = attemptsOf(own).filter((one) => isDuring(one, sentMs))
  return Math.min(sentMs, ...times.map(({ nowMs }) => nowMs))
}

interface Limit {
  readonly what: string
  readonly of: readonly Sending[]
  readonly keyOf: (sending: Sending) => string
  readonly most: number
  readonly withinMs: number
}

/** At most the limit within the period, and nobody is refused before the limit is reached. */
function checkLimits(
  mailings: readonly Sending[],
  passwords: readonly Sending[],
  began: ReadonlySet<string>,
  history: History,
): string[] {
  const field = (name: string) => (sending: Sending) =>
    unsafeCast<Record<string, string>>(sending.call.args)[name] ?? ''
  const login = (sending: Sending) => `${field('game')(sending)} ${field('login')(sending)}`
  const failures = { of: passwords, withinMs: FAILURES_WITHIN_MS }
  const mails = { of: mailings, withinMs: CODE_LIFETIME_MS }
  const limits: Limit[] = [
    { what: 'mails to', keyOf: field('email'), most: MAILS_PER_EMAIL, ...mails },
    { what: 'failures of', keyOf: login, most: FAILURES_PER_LOGIN, ...failures },
    { what: 'failures from', keyOf: field('network'), most: DEFAULT_ADDRESS_LIMITS.login_address.max, ...failures },
  ]
  const refused = limits.flatMap((limit) => tooEarly(limit).map((at) => ({ limit, at })))
  // A right password is not a failed attempt, even if it becomes invalid by the time the session begins.
  const counted = ({ command }: Sending) => !began.has(command)
  const defects = limits.flatMap((limit) => tooMany({ ...limit, of: limit.of.filter(counted) }, history))
  // One reached limit is enough for a refusal.
  const own = refused.filter(({ limit, at }) => {
    const others = limits.filter((one) => one !== limit && one.of === limit.of)
    return others.every((other) => refused.some((one) => one.limit === other && one.at === at))
  })
  return [...defects, ...own.map(({ limit }) => `too few ${limit.what} somebody to turn the next away`)]
}

/** Attempts that were refused before enough others had begun. */
function tooEarly({ of, keyOf, most, withinMs }: Limit): Attempt[] {
  return of.flatMap((sending) => {
    const all = attemptsOf(of.filter((other) => keyOf(other) === keyOf(sending)))
    return sending.attempts.filter((one) => {
      const since = one.beganMs - withinMs - 2 * SKEW_MS
      const others = all.filter(
        (other) =>
          other !== one &&
          other.endedMs >= since &&
          other.beganMs <= one.endedMs &&
          outcomeOf(other) !== 'rate_limited',
      )
      return outcomeOf(one) === 'rate_limited' && others.length < most
    })
  })
}

function tooMany({ what, of, keyOf, most, withinMs }: Limit, history: History): string[] {
  const counted = what === 'mails to' ? 'answered' : 'sign_in_rejected'
  return [...new Set(of.map(keyOf))].flatMap((key) => {
    const every = attemptsOf(of.filter((one) => keyOf(one) === key))
    const all = every.filter((one) => outcomeOf(one) === counted)
    return all.flatMap((first) => {
      const toMs = first.nowMs + withinMs - 2 * SKEW_MS
      // An attempt that was in flight while the clocks jumped may have been counted afterwards.
      const together = all.filter(({ nowMs, endedMs }) => nowMs >= first.nowMs && endedMs < toMs)
      const lastMs = Math.max(...together.map(({ endedMs }) => endedMs))
      if (together.length <= most || isVoided(history, first.beganMs, lastMs)) return []
      // To such an attempt, those after the jump have times of a wrong clock, so it removes them.
      if (every.some((one) => one.nowMs < first.nowMs - CLOCK_BACK_MAX_MS && one.endedMs >= first.beganMs)) return []
      return [`${together.length} ${what} ${key} within ${withinMs} ms`]
    })
  })
}
