// Typed text may hold invisible characters. They could reverse the direction of a line, or hide one name in another.

/** Controls, line ends included: a space in their place keeps words apart. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu
/** Bidirectional controls and spaces without width (https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing). */
/** Also fillers, blanks of Braille and tags, which show nothing (https://util.unicode.org/UnicodeJsps/confusables.jsp). */
const UNSEEN =
  /[\u034F\u00AD\u115F\u1160\u17B4\u17B5\u180B-\u180E\u2061-\u2064\u206A-\u206F\u2800\u3164\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E0FFF}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/gu

/** The text without what cannot be seen, in one line; joiners stay, since emoji and some scripts need them. */
export function legible(text: string): string {
  return text.toWellFormed().normalize('NFC').replace(CONTROLS, ' ').replace(UNSEEN, '')
}

const CYRILLIC_AND_GREEK = 'аеорсухіјѕԁһвкмнтαοιρνκτυχ'
const LATIN = 'aeopcyxijsdhbkmhtaoipvktux'

/** The same for two texts that look alike to a reader: in which script, case or width a letter is written does not count. */
export function skeleton(text: string): string {
  const letters = [...legible(text).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()]
  const alike = letters.map((letter) => {
    const at = [...CYRILLIC_AND_GREEK].indexOf(letter)
    return at < 0 ? letter : (LATIN[at] ?? letter)
  })
  return alike
    .join('')
    .replace(/[\u200C\u200D]/g, '')
    .replace(/[0]/g, 'o')
    .replace(/[1|]/g, 'l')
}

/**
 * Returns the first graphemes, at most `most` whole ones within `mostCodePoints`. One grapheme may have hundreds of
 * code points.
 */
export function firstGraphemes(text: string, most: number, mostCodePoints: number): string {
  let kept = ''
  let [graphemes, codePoints] = [0, 0]
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) {
    graphemes += 1
    codePoints += [...segment].length
    if (graphemes > most || codePoints > mostCodePoints) break
    kept += segment
  }
  return kept
}

const NAME_GRAPHEMES = 24
const NAME_CODE_POINTS = 48

/** A person's name as shown to others; `fallback` if nothing in it is legible. */
export function legibleName(name: unknown, fallback: string): string {
  const shown = typeof name === 'string' ? legible(name).trim() : ''
  return firstGraphemes(shown, NAME_GRAPHEMES, NAME_CODE_POINTS) || fallback
}

/** Somebody else's text in one short line; empty if nothing in it is legible. Costs no more for a long one. */
export function shortLine(text: string, most: number): string {
  const line = legible(text.slice(0, 4 * most))
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > most ? startOf(line, most) : line
}

/** How many code points it has; two surrogates are one, and nearly always there are none. */
export function codePointsIn(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
}

/** Its first code points, and an ellipsis for the others. */
export function startOf(text: string, most: number): string {
  return `${[...text].slice(0, most).join('')}…`
}

/** Words, and parts of a text that are more than words. */
type Spans<Part> = (string | Part)[]

/** Adds to a text, and joins neighbouring words to one span. Works in place: a crash makes very many texts at once. */
export function addSpan<Part extends object>(all: Spans<Part>, span: string | Part): void {
  const last = all.at(-1)
  if (typeof span === 'string' && typeof last === 'string') all[all.length - 1] = last + span
  else if (span !== '') all.push(span)
}

/** Mere words are a string. */
export function ofSpans<Part extends object>(all: Spans<Part>): string | Spans<Part> {
  const [only = ''] = all
  return all.length < 2 && typeof only === 'string' ? only : all
}
