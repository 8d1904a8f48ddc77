import { useState } from 'preact/hooks'
import type { Api, Builds } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { Shown } from '../components/states.tsx'
import { Time } from '../components/time.tsx'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'
import { useLoad } from '../use-load.ts'

const RUNNING_MS = 1_000
/** Somebody waits for the end of a rebuild. */
const RUNNING_PAUSE_FACTOR = 2
const IDLE_MS = 10_000

/** Rebuilds all views beside those in use. It continues on the server, whatever happens to this page. */
export function RebuildPanel({ api }: { readonly api: Api }) {
  const [runs, setRuns] = useState(false)
  const read = async () => {
    const state = await api.builds()
    setRuns(state.state !== 'idle')
    return state
  }
  const builds = useLoad('builds', read, {
    ...(runs ? { everyMs: RUNNING_MS, pauseFactor: RUNNING_PAUSE_FACTOR } : { everyMs: IDLE_MS }),
    keeps: true,
    tags: ['view'],
  })
  const act = (action: () => Promise<Builds>, done: string | null) => runAction(action, () => done)
  return (
    <section class="panel" aria-label={texts.system.rebuild}>
      <h2>{texts.system.rebuild}</h2>
      <p class="soft">{texts.system.rebuildAbout}</p>
      <div class="actions">
        <ActionButton onAct={() => act(() => api.rebuildViews(), null)} blocked={runs ? texts.system.rebuilding : null}>
          {texts.system.rebuild}
        </ActionButton>
        {runs && (
          <ActionButton onAct={() => act(() => api.cancelViews(), texts.system.rebuildCancelled)}>
            {texts.system.cancelRebuild}
          </ActionButton>
        )}
        {builds.value?.way_back != null && (
          <ActionButton onAct={() => act(() => api.viewsBack(), texts.system.wentBack)}>
            {texts.system.back}
          </ActionButton>
        )}
      </div>
      <Shown of={builds}>{(state) => <State builds={state} />}</Shown>
    </section>
  )
}

function State({ builds: { state, share, last } }: { readonly builds: Builds }) {
  if (state !== 'idle') {
    return (
      <div class="stack" role="status">
        <progress max={1} value={share ?? 0} aria-label={texts.system.rebuilding} />
        <p>{texts.system.states[state]}</p>
      </div>
    )
  }
  if (last === null) return <p class="soft">{texts.system.neverRebuilt}</p>
  return (
    <p role="status">
      {texts.system.outcomes[last.outcome]} <Time at={last.finished} />
      {last.reason !== null && ` ${last.reason}`}
      {last.found !== null && ` ${texts.system.found(last.found)}`}
    </p>
  )
}
