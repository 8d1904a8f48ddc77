// A driver that is a program: a line of JSON on its standard input for each operation, and a line on its output for
// each answer.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { type Driver, type Opened, Refused, type Signature } from './driver.ts'

/** Longer than a client waits for a server that is busy. */
const ANSWER_MS = 120_000
const END_MS = 5_000

const said = z.object({
  answer: z.unknown().optional(),
  refused: z.record(z.string(), z.unknown()).optional(),
  error: z.string().optional(),
})
const features = z.object({ supports: z.array(z.enum(['rooms', 'sign'])).default([]) })

/** Starts the command with a shell. Rejects if it does not answer `hello`. */
export async function commandDriver(command: string): Promise<Driver> {
  const program = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'inherit'] })
  const ask = conversation(program)
  const { supports } = features.parse(
    await ask({ op: 'hello', version: 1 }).catch(async (failure: unknown) => {
      await ended(program)
      throw failure
    }),
  )
  const done = async (asked: Promise<unknown>) => {
    await asked
  }
  return {
    supports: new Set(supports),
    sign: (vector) => ask({ op: 'sign', ...vector }) as Promise<Signature>,
    open: (opening) => ask({ op: 'open', ...opening }) as Promise<Opened>,
    call: (sent) => ask({ op: 'call', ...sent }),
    connect: (name, as) => done(ask({ op: 'connect', name, as })),
    emit: (on, event, body) => ask({ op: 'emit', on, event, body }),
    hears: (on, event) => ask({ op: 'hears', on, event }),
    cut: (on) => done(ask({ op: 'cut', on })),
    restore: (on) => done(ask({ op: 'restore', on })),
    closeRooms: async () => {
      if (supports.includes('rooms')) await ask({ op: 'close' })
    },
    end: () => ended(program),
  }
}

/** One question at a time, as the suite asks them. */
function conversation(program: ChildProcess): (question: object) => Promise<unknown> {
  const { stdin, stdout } = program
  if (stdin === null || stdout === null) throw new Error('the driver has no streams')
  let settle: (line: string | Error) => void = () => {}
  let over: Error | null = null
  const finish = (reason: string) => {
    over ??= new Error(`the driver ${reason}`)
    settle(over)
  }
  program.on('error', (failure) => finish(`does not start: ${failure.message}`))
  program.on('exit', (code, signal) => finish(`has ended (${code ?? signal})`))
  // A driver that no longer reads has ended, or ends.
  stdin.on('error', () => {})
  createInterface(stdout).on('line', (line) => settle(line))
  return async (question) => {
    const line = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => settle(new Error(`the driver did not answer within ${ANSWER_MS} ms`)), ANSWER_MS)
      settle = (given) => {
        clearTimeout(timer)
        if (typeof given === 'string') resolve(given)
        else reject(given)
      }
      if (over === null) stdin.write(`${JSON.stringify(question)}\n`)
      else settle(over)
    })
    return answerIn(line)
  }
}

function answerIn(line: string): unknown {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    throw new Error(`the driver wrote a line that is no JSON: ${line.slice(0, 200)}`)
  }
  const { answer, refused, error } = said.parse(json)
  if (refused !== undefined) throw new Refused(refused)
  if (error !== undefined) throw new Error(error)
  return answer
}

async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode === null && program.signalCode === null) {
    const exit = once(program, 'exit')
    const timer = setTimeout(() => program.kill(), END_MS)
    program.stdin?.end()
    await exit
    clearTimeout(timer)
  }
  // What the shell has started may live on, with its end of this stream.
  program.stdout?.destroy()
}
