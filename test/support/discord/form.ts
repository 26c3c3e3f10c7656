/** Where mistakes of a request body are put: `form.at('embeds', 0, 'title').fail(…)`. */
export interface Form {
  at(...keys: (string | number)[]): Form
  fail(code: string, message: string): void
}

interface Mistake {
  code: string
  message: string
}
interface Tree {
  [key: string]: Tree | Mistake[]
}

export function newForm(): { form: Form; errors: () => Tree | null } {
  const tree: Tree = {}
  let failed = false
  const node = (path: readonly string[]): Form => ({
    at: (...keys) => node([...path, ...keys.map(String)]),
    fail(code, message) {
      failed = true
      let here = tree
      for (const key of path) here = (here[key] ??= {}) as Tree
      const mistakes = (here['_errors'] ??= []) as Mistake[]
      mistakes.push({ code, message })
    },
  })
  return { form: node([]), errors: () => (failed ? tree : null) }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null stands for a field that is not there, as in Discord's own bodies. */
const isMissing = (value: unknown): value is null | undefined => value === undefined || value === null

export const required = (form: Form) => form.fail('BASE_TYPE_REQUIRED', 'This field is required')

/**
 * Lengths are counted in UTF-16 units. Discord says "characters"; whatever fits so, fits any way of counting.
 */
export function checkLength(form: Form, length: number, { min = 0, max }: { min?: number; max: number }) {
  if (length >= min && length <= max) return
  if (min > 0) form.fail('BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`)
  else form.fail('BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`)
}

/** A text, with the white space around it cut off as Discord does. */
export function text(
  form: Form,
  value: unknown,
  { min = 0, max, must = false }: { min?: number; max: number; must?: boolean },
): string | undefined {
  if (isMissing(value)) {
    if (must) required(form)
    return undefined
  }
  if (typeof value !== 'string') {
    form.fail('STRING_TYPE_CONVERT', `Could not interpret "${JSON.stringify(value)}" as string.`)
    return undefined
  }
  const said = value.trim()
  if (must && said === '') required(form)
  else checkLength(form, said.length, { min, max })
  return said
}

export function list(form: Form, value: unknown, size: { min?: number; max: number }): unknown[] {
  if (isMissing(value)) return []
  if (!Array.isArray(value)) {
    form.fail('LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType')
    return []
  }
  checkLength(form, value.length, size)
  return value as unknown[]
}

/** An object with known fields only: Discord ignores others in silence, which is how typing errors stay unseen. */
export function model(form: Form, value: unknown, fields: readonly string[]): Record<string, unknown> | null {
  if (!isObject(value)) {
    form.fail('MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType')
    return null
  }
  for (const key of Object.keys(value)) {
    if (value[key] === undefined || fields.includes(key)) continue
    form.at(key).fail('STAND_IN_UNKNOWN_FIELD', 'Discord ignores this field; it has another name or place')
  }
  return value
}

export function whole(
  form: Form,
  value: unknown,
  { min, max }: { min: number; max: number },
): number | undefined {
  if (isMissing(value)) return undefined
  if (!Number.isInteger(value)) {
    form.fail('NUMBER_TYPE_COERCE', `Value "${JSON.stringify(value)}" is not int.`)
    return undefined
  }
  if ((value as number) < min)
    form.fail('NUMBER_TYPE_MIN', `int value should be greater than or equal to ${min}.`)
  if ((value as number) > max)
    form.fail('NUMBER_TYPE_MAX', `int value should be less than or equal to ${max}.`)
  return value as number
}

export function truth(form: Form, value: unknown): boolean {
  if (isMissing(value)) return false
  if (typeof value !== 'boolean') form.fail('BOOLEAN_TYPE_CONVERT', 'Must be either true or false.')
  return value === true
}

export function oneOf<T>(form: Form, value: unknown, choices: readonly T[]): T | undefined {
  if (isMissing(value)) return undefined
  if (choices.includes(value as T)) return value as T
  form.fail('BASE_TYPE_CHOICES', `Value must be one of {${choices.join(', ')}}.`)
  return undefined
}

export function link(form: Form, value: unknown, schemes: readonly string[] = ['http:', 'https:']) {
  const said = text(form, value, { max: 2048 })
  if (!said) return
  if (!URL.canParse(said)) form.fail('URL_TYPE_INVALID_URL', 'Not a well formed URL.')
  else if (!schemes.includes(new URL(said).protocol))
    form.fail('URL_TYPE_INVALID_SCHEME', `Scheme must be one of ${schemes.join(', ')}.`)
}

export function notModelled(form: Form, what: string) {
  form.fail('STAND_IN_NOT_MODELLED', `The stand-in does not know ${what}; add it to test/support/discord`)
}
