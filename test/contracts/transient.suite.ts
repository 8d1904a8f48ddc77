// The contract of the transient store: one-time secrets and claims for calls in progress.

import { expect } from 'chai'
import type { Guess, Transient } from '../../stores/contract/transient.ts'
import { eventually } from '../until.ts'
import type { Check } from './test-contract.ts'

/** Adapters with a clock of their own expire by it, so the times are far in the future. */
const NOW = Date.now() + 86_400_000
const LATER = NOW + 60_000

const guess = (value: string, over: Partial<Guess> = {}): Guess => ({
  value,
  by: 'a',
  maxByAddress: 5,
  max: 5,
  ...over,
})

export const transientChecks: readonly Check<Transient>[] = [
  {
    name: 'returns a value once',
    run: async (make) => {
      const transient = await make()
      await transient.put('c-1', 'value', { nowMs: NOW, expiresMs: LATER })
      expect(await transient.take('c-2', NOW)).to.equal(null)
      expect(await transient.take('c-1', NOW)).to.equal('value')
      expect(await transient.take('c-1', NOW)).to.equal(null)
    },
  },
  {
    name: 'returns a value to exactly one of several concurrent takes',
    run: async (make) => {
      const transient = await make()
      await transient.put('c-1', 'value', { nowMs: NOW, expiresMs: LATER })
      const taken = await Promise.all(Array.from({ length: 32 }, () => transient.take('c-1', NOW)))
      expect(taken.filter((value) => value !== null)).to.deep.equal(['value'])
    },
  },
  {
    name: 'returns a value until just before it expires',
    run: async (make) => {
      const transient = await make()
      await transient.put('c-1', 'value', { nowMs: NOW, expiresMs: LATER })
      await transient.put('c-2', 'value', { nowMs: NOW, expiresMs: LATER })
      expect(await transient.take('c-1', LATER - 1)).to.equal('value')
      expect(await transient.take('c-2', LATER)).to.equal(null)
      expect(await transient.take('c-2', NOW)).to.equal(null)
    },
  },
  {
    name: 'replaces a value under the same key, with its expiry',
    run: async (make) => {
      const transient = await make()
      await transient.put('c-1', 'first', { nowMs: NOW, expiresMs: NOW + 10_000 })
      await transient.put('c-1', 'second', { nowMs: NOW, expiresMs: LATER })
      expect(await transient.take('c-1', NOW + 20_000)).to.equal('second')
    },
  },
  {
    name: 'accepts a right guess once, for exactly one of several concurrent guesses',
    run: async (make) => {
      const transient = await make()
      await transient.put('g-1', 'right', { nowMs: NOW, expiresMs: LATER })
      expect(await transient.guess('g-1', guess('wrong'), NOW)).to.equal(false)
      expect(await transient.guess('g-2', guess('right'), NOW)).to.equal(false)
      const guesses = Array.from({ length: 32 }, () => transient.guess('g-1', guess('right'), NOW))
      expect((await Promise.all(guesses)).filter((isIt) => isIt)).to.deep.equal([true])
      expect(await transient.take('g-1', NOW)).to.equal(null)
    },
  },
  {
    name: 'removes a value with the last wrong guess, also in races',
    run: async (make) => {
      const transient = await make()
      await transient.put('g-1', 'right', { nowMs: NOW, expiresMs: LATER })
      for (let n = 0; n < 4; n += 1) expect(await transient.guess('g-1', guess('wrong'), NOW)).to.equal(false)
      expect(await transient.guess('g-1', guess('right'), NOW)).to.equal(true)
      await transient.put('g-2', 'right', { nowMs: NOW, expiresMs: LATER })
      await Promise.all(Array.from({ length: 5 }, () => transient.guess('g-2', guess('wrong'), NOW)))
      expect(await transient.guess('g-2', guess('right'), NOW)).to.equal(false)
    },
  },
  {
    name: 'ignores and does not count further guesses of an address with too many wrong ones',
    run: async (make) => {
      const transient = await make()
      await transient.put('g-1', 'right', { nowMs: NOW, expiresMs: LATER })
      const by = (who: string, value: string) => transient.guess('g-1', guess(value, { by: who, max: 12 }), NOW)
      const wrong = await Promise.all(Array.from({ length: 32 }, () => by('a', 'wrong')))
      expect(new Set(wrong)).to.deep.equal(new Set([false]))
      expect(await by('a', 'right')).to.equal(false)
      for (let n = 0; n < 5; n += 1) expect(await by('b', 'wrong')).to.equal(false)
      expect([await by('b', 'right'), await by('c', 'wrong'), await by('c', 'right')]).to.deep.equal([
        false,
        false,
        true,
      ])
    },
  },
  {
    name: 'removes a value with the last counted wrong guess, over all network addresses',
    run: async (make) => {
      const transient = await make()
      await transient.put('g-1', 'right', { nowMs: NOW, expiresMs: LATER })
      const by = (who: string, value: string) => transient.guess('g-1', guess(value, { by: who, max: 50 }), NOW)
      const racers = Array.from({ length: 49 }, (_, n) => by(`n-${n % 10}`, 'wrong'))
      await Promise.all(racers)
      await transient.put('g-2', 'right', { nowMs: NOW, expiresMs: LATER })
      expect(await by('n-9', 'wrong'), 'the fiftieth').to.equal(false)
      expect(await by('another', 'right')).to.equal(false)
      expect(await transient.take('g-1', NOW)).to.equal(null)
      expect(await transient.take('g-2', NOW)).to.equal('right')
    },
  },
  {
    name: 'resets the count of guesses for a new value, and accepts no guess for an expired one',
    run: async (make) => {
      const transient = await make()
      await transient.put('g-1', 'first', { nowMs: NOW, expiresMs: LATER })
      for (let n = 0; n < 4; n += 1) await transient.guess('g-1', guess('wrong'), NOW)
      await transient.put('g-1', 'second', { nowMs: NOW, expiresMs: LATER })
      for (let n = 0; n < 4; n += 1) await transient.guess('g-1', guess('first'), NOW)
      expect(await transient.guess('g-1', guess('second'), LATER - 1)).to.equal(true)
      await transient.put('g-1', 'third', { nowMs: NOW, expiresMs: LATER })
      expect(await transient.guess('g-1', guess('third'), LATER)).to.equal(false)
    },
  },
  {
    name: 'grants a claim to exactly one of several callers',
    run: async (make) => {
      const transient = await make()
      const owners = Array.from({ length: 32 }, (_, n) => `owner-${n}`)
      const claimed = await Promise.all(owners.map((owner) => transient.claim('m-1', owner, NOW, LATER)))
      expect(claimed.filter((isMine) => isMine)).to.deep.equal([true])
      expect(await transient.claim('m-2', 'another', NOW, LATER)).to.equal(true)
    },
  },
  {
    name: 'releases a claim for its owner only, or when it expires',
    run: async (make) => {
      const transient = await make()
      expect(await transient.claim('m-1', 'a', NOW, LATER)).to.equal(true)
      expect(await transient.claim('m-1', 'a', NOW, LATER)).to.equal(false)
      await transient.release('m-1', 'b')
      expect(await transient.claim('m-1', 'b', NOW, LATER)).to.equal(false)
      await transient.release('m-1', 'a')
      expect(await transient.claim('m-1', 'b', NOW, LATER)).to.equal(true)
      expect(await transient.claim('m-1', 'c', LATER, LATER + 60_000)).to.equal(true)
      await transient.release('m-1', 'b')
      expect(await transient.claim('m-1', 'd', LATER, LATER + 60_000)).to.equal(false)
    },
  },
  {
    name: 'answers concurrent claims and releases of several keys each for its own key, owner and expiry',
    run: async (make) => {
      const transient = await make()
      expect(await transient.claim('m-2', 'a', NOW, LATER)).to.equal(true)
      const claim = (key: string, owner: string, nowMs: number, expiresMs: number) =>
        transient.claim(key, owner, nowMs, expiresMs)
      const claimed = await Promise.all([
        claim('m-1', 'a', NOW, LATER),
        claim('m-2', 'b', NOW, LATER),
        claim('m-3', 'c', NOW, NOW),
        claim('m-4', 'd', NOW, LATER + 60_000),
        claim('m-1', 'e', NOW, LATER),
      ])
      expect(claimed).to.deep.equal([true, false, true, true, false])
      await Promise.all([transient.release('m-1', 'e'), transient.release('m-2', 'a'), transient.release('m-4', 'd')])
      const after = ['m-1', 'm-2', 'm-3', 'm-4'].map((key) => claim(key, 'g', NOW, LATER))
      expect(await Promise.all(after)).to.deep.equal([false, true, true, true])
      expect(await claim('m-1', 'h', LATER, LATER + 60_000), 'it expires as the first one said').to.equal(true)
    },
  },
  {
    name: 'gives a lock to exactly one of several owners, who renews and releases it',
    run: async (make) => {
      const transient = await make()
      const owners = Array.from({ length: 32 }, (_, n) => `owner-${n}`)
      const locked = await Promise.all(owners.map((owner) => transient.lock('l-1', owner, 60_000)))
      expect(locked.filter((isMine) => isMine)).to.deep.equal([true])
      const winner = `owner-${locked.indexOf(true)}`
      expect(await transient.lock('l-1', 'another', 60_000)).to.equal(false)
      expect(await transient.unlock('l-1', 'another'), 'another owner releases nothing').to.equal(false)
      expect(await transient.lock('l-1', winner, 60_000)).to.equal(true)
      expect(await transient.unlock('l-1', winner)).to.equal(true)
      expect(await transient.unlock('l-1', winner), 'again').to.equal(true)
      expect(await transient.lock('l-1', 'another', 60_000)).to.equal(true)
      expect(await transient.unlock('l-1', winner), 'another owner has it').to.equal(false)
      expect(await transient.unlock('l-1', 'another')).to.equal(true)
      expect(await transient.unlock('l-1', winner), 'another owner has had it').to.equal(false)
      expect(await transient.lock('l-1', winner, 60_000), 'it is free').to.equal(true)
      expect(await transient.lock('l-2', winner, 60_000)).to.equal(true)
      expect(await transient.unlock('l-3', winner), 'nobody has had it').to.equal(true)
    },
  },
  {
    name: 'ends a lock that is not renewed, and keeps one that is',
    run: async (make) => {
      const transient = await make()
      expect(await transient.lock('l-1', 'a', 60_000)).to.equal(true)
      expect(await transient.lock('l-1', 'a', 100), 'a renewal may shorten it').to.equal(true)
      expect(await transient.lock('l-2', 'a', 100)).to.equal(true)
      expect(await transient.lock('l-2', 'a', 60_000)).to.equal(true)
      expect(await transient.lock('l-1', 'b', 60_000)).to.equal(false)
      await eventually(() => transient.lock('l-1', 'b', 60_000))
      expect(await transient.lock('l-1', 'a', 60_000)).to.equal(false)
      expect(await transient.lock('l-2', 'b', 60_000)).to.equal(false)
    },
  },
  {
    name: 'keeps values and claims separate',
    run: async (make) => {
      const transient = await make()
      await transient.put('x', 'value', { nowMs: NOW, expiresMs: LATER })
      expect(await transient.claim('x', 'a', NOW, LATER)).to.equal(true)
      await transient.release('x', 'a')
      expect(await transient.take('x', NOW)).to.equal('value')
    },
  },
]
