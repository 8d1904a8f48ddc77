import { useState } from 'preact/hooks'
import type { Api, Explained } from '../api.ts'
import { TextField } from '../components/fields.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { PlayerField } from '../player/player-field.tsx'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'

interface ExplainProps {
  readonly api: Api
  readonly bucket: string
  readonly path: string
}

/** What the rules at a path let a player do, and why. */
export function Explain({ api, bucket, path }: ExplainProps) {
  const [place, setPlace] = useState(path)
  const [player, setPlayer] = useState('')
  const [explained, setExplained] = useState<Explained | null>(null)
  const explain = (event: Event) => {
    event.preventDefault()
    void runAction(async () => setExplained(await api.explain(bucket, place, player === '' ? undefined : player)))
  }
  return (
    <div class="stack">
      <form class="fields" onSubmit={explain}>
        <TextField label={texts.files.path} value={place} onValue={setPlace} required />
        <PlayerField label={texts.files.player} value={player} onValue={setPlayer} hint={texts.files.noPlayer} />
        <div class="actions">
          <button type="submit">{texts.files.explain}</button>
        </div>
      </form>
      {explained !== null && (
        <ScrollRegion label={texts.files.explanation} stacks>
          <table>
            <thead>
              <tr>
                <th scope="col">{texts.files.rule}</th>
                <th scope="col">{texts.files.level}</th>
                <th scope="col">{texts.files.admitted}</th>
                <th scope="col">{texts.files.why}</th>
              </tr>
            </thead>
            <tbody>
              {explained.rules.map(({ rule, level, admitted, why }) => (
                <tr key={rule}>
                  <th scope="row">{texts.files.rules[rule]}</th>
                  <td>{texts.files.levels[level]}</td>
                  <td>
                    <span class={`badge ${admitted ? 'good' : 'bad'}`}>
                      {admitted ? texts.files.yes : texts.files.no}
                    </span>
                  </td>
                  <td class="wrap">{why}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </div>
  )
}
