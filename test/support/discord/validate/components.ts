import {
  checkLength,
  type Form,
  link,
  list,
  model,
  notModelled,
  oneOf,
  required,
  text,
  truth,
} from '../form.ts'
import type { Json } from '../refusals.ts'

/** https://docs.discord.com/developers/components/reference */
const MOST_ROWS = 5
const MOST_IN_A_ROW = 5
const LABEL = 80
const CUSTOM_ID = 100
const URL_LENGTH = 512
const ROW_TYPE = 1
const BUTTON_TYPE = 2
const SELECT_TYPE = 3
const MOST_OPTIONS = 25
const OPTION = 100
const PLACEHOLDER = 150
const STYLES = [1, 2, 3, 4, 5]
const LINK_STYLE = 5

export interface Button {
  label: string
  style: number
  customId: string | null
  url: string | null
  disabled: boolean
}

/** Rows of buttons or lists; the JSON goes back to the bot as it came. */
/** A list to choose one thing from. */
export interface Select {
  customId: string
  options: { label: string; value: string }[]
}

export interface Row {
  buttons: Button[]
  /** A row has either buttons or a list. */
  select: Select | null
  json: Json
}

export function checkComponents(form: Form, value: unknown): Row[] {
  const seen = new Set<string>()
  return list(form, value, { max: MOST_ROWS }).flatMap((item, index): Row[] => {
    const at = form.at(index)
    const row = model(at, item, ['type', 'id', 'components'])
    if (!row) return []
    if (row['type'] !== ROW_TYPE) {
      notModelled(at.at('type'), `components of type ${String(row['type'])} outside of a row`)
      return []
    }
    const inside = list(at.at('components'), row['components'], { min: 1, max: MOST_IN_A_ROW })
    if (row['components'] === undefined) required(at.at('components'))
    const [first] = inside as { type?: unknown }[]
    if (first?.type === SELECT_TYPE) {
      if (inside.length > 1)
        at.at('components').fail('COMPONENT_LAYOUT_WIDTH_EXCEEDED', 'The row is too wide')
      return [{ buttons: [], select: checkSelect(at.at('components', 0), first, seen), json: row }]
    }
    const buttons = inside.flatMap((one, place) => checkButton(at.at('components', place), one, seen) ?? [])
    return [{ buttons, select: null, json: row }]
  })
}

const SELECT_FIELDS = 'type id custom_id options placeholder min_values max_values disabled'.split(' ')

function checkSelect(form: Form, item: unknown, seen: Set<string>): Select | null {
  const json = model(form, item, SELECT_FIELDS)
  if (!json) return null
  text(form.at('placeholder'), json['placeholder'], { max: PLACEHOLDER })
  const options = list(form.at('options'), json['options'], { min: 1, max: MOST_OPTIONS })
  if (json['options'] === undefined) required(form.at('options'))
  const values = new Set<string>()
  return {
    customId: checkCustomId(form, json, seen) ?? '',
    options: options.flatMap((one, index) => {
      const at = form.at('options', index)
      const option = model(at, one, ['label', 'value', 'description', 'emoji', 'default'])
      if (!option) return []
      const label = text(at.at('label'), option['label'], { min: 1, max: OPTION, must: true }) ?? ''
      const value = text(at.at('value'), option['value'], { min: 1, max: OPTION, must: true }) ?? ''
      text(at.at('description'), option['description'], { max: OPTION })
      if (values.has(value)) at.fail('COMPONENT_INVALID', 'The specified option value is already used')
      values.add(value)
      return [{ label, value }]
    }),
  }
}

const BUTTON_FIELDS = ['type', 'id', 'style', 'label', 'emoji', 'custom_id', 'url', 'disabled', 'sku_id']

function checkButton(form: Form, item: unknown, seen: Set<string>): Button | null {
  const json = model(form, item, BUTTON_FIELDS)
  if (!json) return null
  if (json['type'] !== BUTTON_TYPE) {
    notModelled(form.at('type'), `components of type ${String(json['type'])} in a row`)
    return null
  }
  const style = oneOf(form.at('style'), json['style'], STYLES)
  if (json['style'] === undefined) required(form.at('style'))
  const label = text(form.at('label'), json['label'], { max: LABEL }) ?? ''
  if (!label && !emojiName(form, json['emoji'])) required(form.at('label'))
  const customId = style === LINK_STYLE ? linkOnly(form, json) : checkCustomId(form, json, seen)
  return {
    label: label || emojiName(form, json['emoji']),
    style: style ?? 0,
    customId,
    url: typeof json['url'] === 'string' ? json['url'] : null,
    disabled: truth(form.at('disabled'), json['disabled']),
  }
}

function linkOnly(form: Form, json: Json): null {
  if (json['custom_id'] !== undefined)
    form.at('custom_id').fail('COMPONENT_INVALID', 'A custom id and url cannot both be specified')
  if (!json['url']) required(form.at('url'))
  link(form.at('url'), json['url'], ['http:', 'https:', 'discord:'])
  if (typeof json['url'] === 'string') checkLength(form.at('url'), json['url'].length, { max: URL_LENGTH })
  return null
}

function checkCustomId(form: Form, json: Json, seen: Set<string>): string | null {
  const at = form.at('custom_id')
  if (json['url'] !== undefined) form.at('url').fail('COMPONENT_INVALID', 'Only link buttons may have a url')
  if (json['custom_id'] === undefined) required(at)
  const customId = text(at, json['custom_id'], { min: 1, max: CUSTOM_ID })
  if (customId === undefined) return null
  if (seen.has(customId)) {
    at.fail('COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated')
  }
  seen.add(customId)
  return customId
}

function emojiName(form: Form, value: unknown): string {
  if (value === undefined || value === null) return ''
  const emoji = model(form.at('emoji'), value, ['id', 'name', 'animated'])
  const name = emoji?.['name']
  if (typeof name === 'string' && name !== '') return name
  if (emoji) form.at('emoji', 'name').fail('BUTTON_COMPONENT_INVALID_EMOJI', 'Invalid emoji')
  return ''
}
