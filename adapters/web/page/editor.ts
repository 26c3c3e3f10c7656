import type { Api } from './api.ts'
import type { Editor } from './state.ts'
import type { FormView } from './wire.ts'
import type { World } from './world.ts'

/** After the last key, so that Perch is not asked about half a number. */
const PAUSE_MS = 350

/** The form for a new alert, which says while somebody types how often it would have alerted. */
export interface EditorControl {
  load(): Promise<void>
  choose(form: string): void
  type(field: string, value: string): void
  /** The alert is set: nothing is left to say about it. */
  clear(): void
  /** The call that sets the alert; null before a form is chosen. */
  call(): { command: string; args: Readonly<Record<string, string>> } | null
}

interface Given {
  api: Pick<Api, 'forms' | 'attempt'>
  world: Pick<World, 'after' | 'newId'>
  editor(): Editor | null
  put(change: Partial<Editor>): void
}

export function createEditor({ api, world, editor, put }: Given): EditorControl {
  let cancel = () => {}
  let latest = ''

  function attemptSoon(): void {
    cancel()
    latest = world.newId()
    const { form, args, isComplete } = filledIn(editor())
    if (form === null || !isComplete) return put({ attempt: null })
    put({ attempt: { is: 'trying' } })
    cancel = world.after(PAUSE_MS, () => void attempt(latest, form.name, args))
  }

  async function attempt(id: string, kind: string, args: Readonly<Record<string, string>>): Promise<void> {
    const answer = await api.attempt({ id, kind, args })
    if (id !== latest) return
    const message = answer.is === 'ok' ? answer.body.answer : null
    put({ attempt: message === null ? null : { is: 'said', message } })
  }

  return {
    async load() {
      if (editor()?.forms) return
      const answer = await api.forms()
      if (answer.is !== 'ok') return
      const { forms } = answer.body
      put({ forms, form: editor()?.form ?? forms[0]?.name ?? null })
    },
    choose(form) {
      put({ form })
      attemptSoon()
    },
    type(field, value) {
      put({ typed: { ...editor()?.typed, [field]: value } })
      attemptSoon()
    },
    clear() {
      cancel()
      latest = ''
      put({ typed: {}, attempt: null })
    },
    call() {
      const { form, args } = filledIn(editor())
      return form === null ? null : { command: form.command, args }
    },
  }
}

/** The values of the chosen form's own fields: another form may have left some of its own. */
function filledIn(editor: Editor | null): {
  form: FormView | null
  args: Readonly<Record<string, string>>
  isComplete: boolean
} {
  const form = editor?.forms?.find(({ name }) => name === editor.form) ?? null
  const given = (form?.fields ?? []).map(({ name, isOptional }) => ({
    ...{ name, isOptional },
    value: (editor?.typed[name] ?? '').trim(),
  }))
  const args = Object.fromEntries(given.flatMap(({ name, value }) => (value === '' ? [] : [[name, value]])))
  return { form, args, isComplete: given.every(({ isOptional, value }) => isOptional || value !== '') }
}
