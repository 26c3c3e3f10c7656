/** Telegram's HTML, and how many code points of it a person sees: what its limits count. */
export interface Html {
  html: string
  points: number
}

type Value = string | number | Html | readonly Html[]

/** The one place where text becomes markup: what is put in is escaped, unless it is markup already. */
export function html(literals: TemplateStringsArray, ...values: readonly Value[]): Html {
  const parts = literals.map((literal, at): Html[] => {
    const tags = { html: literal, points: points(literal.replace(/<[^>]*>/g, '')) }
    return at < values.length ? [tags, ...markups(values[at] ?? '')] : [tags]
  })
  return together(parts.flat())
}

export function joined(parts: readonly Html[], by: string): Html {
  return together(parts.flatMap((part, at) => (at === 0 ? [part] : [html`${by}`, part])))
}

function together(parts: readonly Html[]): Html {
  return {
    html: parts.map((part) => part.html).join(''),
    points: parts.reduce((sum, part) => sum + part.points, 0),
  }
}

function markups(value: Value): readonly Html[] {
  if (typeof value === 'object') return 'html' in value ? [value] : value
  const text = clean(String(value))
  return [{ html: escaped(text), points: points(text) }]
}

/** https://core.telegram.org/bots/api#html-style: these four are all that must be written otherwise. */
function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

// Bidirectional controls are how a label could make a line read as another one
// (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing); half a surrogate pair has no UTF-8.
// oxlint-disable-next-line no-control-regex -- they are the very thing that is looked for
const STEERING = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** The text as Telegram takes it; line feeds stay, other controls go. */
export function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(STEERING, '')
}

export function points(text: string): number {
  return [...text].length
}

/**
 * Whether a person would see nothing: Telegram refuses such a text. Letters, figures, punctuation and symbols are
 * seen, but for a blank Braille pattern and the place of an object.
 */
export function isBlank(text: string): boolean {
  return !/[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replace(/[\u2800\uFFFC]/g, ''))
}
