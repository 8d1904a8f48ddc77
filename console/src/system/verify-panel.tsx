import { useEffect, useRef, useState } from 'preact/hooks'
import type { Api, VerifyLine, VerifyResult } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { Problem } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { whole } from '../format.ts'
import { problemText } from '../problem-text.ts'
import { endsSession } from '../session.ts'
import { texts } from '../texts.ts'

type Progress = NonNullable<VerifyLine['progress']>

/** The last result in this browser, with its time. */
const LAST = 'scorebook-console-verified'

interface LastResult {
  readonly at: string
  readonly result: VerifyResult
}

/** A result with many differences is shown again without them. */
function keep(last: LastResult): void {
  localStorage.setItem(LAST, JSON.stringify({ ...last, result: { ...last.result, differences: [] } }))
}

function kept(): LastResult | null {
  try {
    const last = JSON.parse(localStorage.getItem(LAST) ?? 'null') as LastResult | null
    return typeof last?.at === 'string' && typeof last.result?.equal === 'boolean' ? last : null
  } catch {
    return null
  }
}

/** Set while a verification runs, so that a reload begins it again. */
const RUNNING = 'scorebook-console-verify'

/** Compares all views with the log. It runs while the page is open, and begins again after a reload. */
export function VerifyPanel({ api }: { readonly api: Api }) {
  const { isRunning, progress, last, error, verify } = useVerification(api)
  return (
    <section class="panel" aria-label={texts.system.verify}>
      <h2>{texts.system.verify}</h2>
      <p class="soft">{texts.system.verifyAbout}</p>
      <div class="actions">
        <ActionButton look="primary" onAct={verify} blocked={isRunning ? texts.system.verifying : null}>
          {texts.system.verify}
        </ActionButton>
      </div>
      {isRunning && (
        <div class="stack" role="status">
          <progress max={1} value={progress?.share ?? 0} aria-label={texts.system.verifying} />
          <p>{progress === null ? texts.system.verifying : progressText(progress)}</p>
        </div>
      )}
      <Problem text={error} />
      {!isRunning && last !== null && (
        <>
          <p class="soft small">
            {texts.system.lastVerified} <Time at={last.at} />
          </p>
          <Result result={last.result} />
        </>
      )}
      {!isRunning && last === null && <p class="soft small">{texts.system.neverVerified}</p>}
    </section>
  )
}

/** One verification at a time, and the last result in this browser. */
function useVerification(api: Api) {
  const [progress, setProgress] = useState<Progress | null>(null)
  const [last, setLast] = useState<LastResult | null>(kept)
  const [error, setError] = useState<string | null>(null)
  const [isRunning, setRunning] = useState(false)
  const isLeft = useRef(false)

  const verify = async () => {
    setRunning(true)
    setError(null)
    sessionStorage.setItem(RUNNING, '1')
    try {
      let isComplete = false
      for await (const line of api.verify()) {
        if (isLeft.current) return
        if (line.progress !== undefined) setProgress(line.progress)
        if (line.result === undefined) continue
        isComplete = true
        const ended = { at: new Date().toISOString(), result: line.result }
        keep(ended)
        setLast(ended)
      }
      if (!isComplete) setError(texts.system.interrupted)
    } catch (failure) {
      if (!endsSession(failure)) setError(problemText(failure))
    }
    sessionStorage.removeItem(RUNNING)
    setRunning(false)
    setProgress(null)
  }
  const first = useRef(verify)
  useEffect(() => {
    if (sessionStorage.getItem(RUNNING) !== null) void first.current()
    return () => {
      isLeft.current = true
      sessionStorage.removeItem(RUNNING)
    }
  }, [])
  return { isRunning, progress, last, error, verify }
}

const progressText = ({ phase, done, per_second: rate, eta_seconds: eta }: Progress): string =>
  texts.system.progress(phase, whole(done), whole(Math.round(rate)), eta)

function Result({ result }: { readonly result: VerifyResult }) {
  const { equal, documents, ranked, events, differences, found, revisions } = result
  const fault = revisions?.faults[0]
  return (
    <div class="stack" role="status">
      {(found > 0 || fault === undefined) && (
        <p class={`message ${equal ? 'good' : 'bad'}`}>
          {equal
            ? texts.system.equal(whole(documents), ranked === null ? null : whole(ranked), whole(events))
            : texts.system.different(whole(found))}
        </p>
      )}
      {fault !== undefined && (
        <p class="message bad">{texts.system.revisions(whole(revisions?.found ?? 0), fault.stream)}</p>
      )}
      {differences.length > 0 && (
        <ScrollRegion label={texts.system.differences} long>
          <table>
            <thead>
              <tr>
                {texts.system.differenceColumns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {differences.map((one) => (
                <tr key={`${one.view} ${one.collection} ${one.id} ${one.field}`}>
                  {[one.view, one.id, one.field, one.live, one.rebuilt].map((text, at) => (
                    <td key={texts.system.differenceColumns[at]} class="mono">
                      <bdi class="cut" title={text ?? ''}>
                        {text}
                      </bdi>
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </div>
  )
}
