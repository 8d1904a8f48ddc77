import { useState } from 'preact/hooks'
import type { Api, FolderRules, Level, RuledFolder } from '../api.ts'
import { ActionButton } from '../components/action-button.tsx'
import { CheckField } from '../components/fields.tsx'
import { ScrollRegion } from '../components/scroll-region.tsx'
import { runAction } from '../run-action.ts'
import { texts } from '../texts.ts'

interface RulesMatrixProps {
  readonly api: Api
  readonly bucket: string
  readonly folder: RuledFolder
}

const LEVELS: readonly Level[] = ['nobody', 'creator', 'player', 'anyone']
const RULES = Object.keys(texts.files.rules) as (keyof FolderRules)[]

/** Who may do what in a folder: a row per rule, a column per level. */
export function RulesMatrix({ api, bucket, folder }: RulesMatrixProps) {
  const [rules, setRules] = useState<FolderRules>(folder.rules)
  const [below, setBelow] = useState(false)
  const save = async () => {
    const change = { path: folder.path, rules, child_rules: folder.child_rules, apply_to_existing: below }
    await runAction(
      () => api.setFolderRules(bucket, change),
      () => texts.files.rulesSet,
    )
  }
  const isSame = RULES.every((rule) => rules[rule] === folder.rules[rule])
  return (
    <div class="stack">
      <ScrollRegion label={texts.files.matrix}>
        <table>
          <thead>
            <tr>
              <th scope="col">{texts.files.rule}</th>
              {LEVELS.map((level) => (
                <th key={level} scope="col">
                  {texts.files.levels[level]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {RULES.map((rule) => (
              <tr key={rule}>
                <th scope="row">{texts.files.rules[rule]}</th>
                {LEVELS.map((level) => (
                  <td key={level}>
                    <input
                      type="radio"
                      name={`rule-${rule}`}
                      checked={rules[rule] === level}
                      aria-label={`${texts.files.rules[rule]}: ${texts.files.levels[level]}`}
                      onChange={() => setRules({ ...rules, [rule]: level })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <CheckField label={texts.files.applyBelow} checked={below} onValue={setBelow} />
      <div class="actions">
        <ActionButton onAct={save} blocked={isSame && !below ? texts.files.rulesSame : null}>
          {texts.files.setRules}
        </ActionButton>
      </div>
    </div>
  )
}
