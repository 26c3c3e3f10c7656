import { checkLength, type Form, list, model, oneOf, required, text, truth, whole } from '../form.ts'
import type { Json } from '../refusals.ts'
import { checkName } from './name.ts'

const SUB_COMMAND = 1
const GROUP = 2
export const STRING = 3
export const INTEGER = 4
export const BOOLEAN = 5
export const USER = 6
export const CHANNEL = 7
export const ROLE = 8
export const NUMBER = 10
export const ATTACHMENT = 11
const TYPES = [SUB_COMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, 9, NUMBER, ATTACHMENT]

const MOST_OPTIONS = 25
const MOST_CHOICES = 25
const DESCRIPTION = 100
const CHOICE_NAME = 100
const CHOICE_VALUE = 100
export const LONGEST_STRING = 6000
/** Numbers that a double holds exactly. */
const LARGEST_NUMBER = 2 ** 53

export interface Choice {
  name: string
  value: string | number
}

export interface Option {
  type: number
  name: string
  description: string
  required: boolean
  autocomplete: boolean
  choices: Choice[]
  options: Option[]
  json: Json
}

const FIELDS = [
  'type name name_localizations description description_localizations required choices',
  'options channel_types min_value max_value min_length max_length autocomplete',
].flatMap((fields) => fields.split(' '))

/** `depth` 0 is a command, 1 what is inside of a group, 2 what is inside of a sub-command. */
export function checkOptions(form: Form, value: unknown, depth: 0 | 1 | 2): Option[] {
  const names = new Set<string>()
  const options: Option[] = []
  for (const [index, item] of list(form, value, { max: MOST_OPTIONS }).entries()) {
    const at = form.at(index)
    const option = checkOption(at, item, depth)
    if (!option) continue
    if (names.has(option.name)) {
      at.fail('APPLICATION_COMMAND_OPTIONS_NAME_INVALID', 'Option names must be unique')
    }
    names.add(option.name)
    const first = options[0]
    if (first && isNested(first) !== isNested(option)) {
      const why = 'Sub-command and sub-command group option types are mutually exclusive to all other types'
      at.fail('APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', why)
    }
    if (option.required && options.at(-1)?.required === false && !isNested(option)) {
      const why = 'Required options must be placed before non-required options'
      at.fail('APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', why)
    }
    options.push(option)
  }
  return options
}

export function isNested({ type }: Option): boolean {
  return type === SUB_COMMAND || type === GROUP
}

function checkOption(form: Form, value: unknown, depth: 0 | 1 | 2): Option | null {
  const json = model(form, value, FIELDS)
  if (!json) return null
  if (json['type'] === undefined) required(form.at('type'))
  const allowed = TYPES.filter((type) =>
    depth === 0 ? true : depth === 1 ? type === SUB_COMMAND : type > GROUP,
  )
  const type = oneOf(form.at('type'), json['type'], allowed) ?? STRING
  const nested = type <= GROUP
  const inside =
    type === GROUP
      ? checkOptions(form.at('options'), json['options'], 1)
      : type === SUB_COMMAND
        ? checkOptions(form.at('options'), json['options'], 2)
        : []
  if (type === GROUP && inside.length === 0) required(form.at('options'))
  if (!nested && json['options'] !== undefined && list(form, json['options'], { max: 0 }).length > 0) {
    form.at('options').fail('APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED', 'Only sub-commands have options')
  }
  if (nested && json['required'] === true) {
    form
      .at('required')
      .fail('APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', 'Sub-commands cannot be required')
  }
  checkBounds(form, json, type)
  const autocomplete = truth(form.at('autocomplete'), json['autocomplete'])
  const choices = checkChoices(form.at('choices'), json['choices'], type)
  if (autocomplete && choices.length > 0) {
    form.at('autocomplete').fail('APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID', 'Choices exclude it')
  }
  if (autocomplete && ![STRING, INTEGER, NUMBER].includes(type)) {
    form.at('autocomplete').fail('APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID', 'Not for this type')
  }
  const size = { min: 1, max: DESCRIPTION, must: true }
  checkLocalizations(form.at('description_localizations'), json['description_localizations'])
  return {
    type,
    name: checkName(form.at('name'), json['name']),
    description: text(form.at('description'), json['description'], size) ?? '',
    required: truth(form.at('required'), json['required']),
    autocomplete,
    choices,
    options: inside,
    json,
  }
}

/** https://docs.discord.com/developers/reference#locales: those that this program speaks. */
const LOCALES = new Set(['de', 'en-GB', 'en-US', 'fr', 'es-ES'])

/** A description by locale, each as long as the description itself may be. */
export function checkLocalizations(form: Form, value: unknown): void {
  if (value === undefined || value === null) return
  for (const [locale, words] of Object.entries(value)) {
    if (!LOCALES.has(locale)) form.fail('APPLICATION_COMMAND_INVALID_LOCALE', `Locale "${locale}" is unknown`)
    text(form.at(locale), words, { min: 1, max: DESCRIPTION, must: true })
  }
}

/** The longest of a description and its localizations counts. */
export function longestDescription({ description, description_localizations: others }: Json): number {
  const all = [description, ...Object.values((others ?? {}) as Json)]
  return Math.max(...all.map((one) => (typeof one === 'string' ? one.length : 0)))
}

function checkChoices(form: Form, value: unknown, type: number): Choice[] {
  const names = new Set<string>()
  return list(form, value, { max: MOST_CHOICES }).flatMap((item, index) => {
    const at = form.at(index)
    if (![STRING, INTEGER, NUMBER].includes(type))
      at.fail('APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID', 'Not here')
    const choice = checkChoice(at, item, type)
    if (!choice) return []
    if (names.has(choice.name))
      at.fail('APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS', 'Names must be unique')
    names.add(choice.name)
    return [choice]
  })
}

/** A choice as a command declares it, and as autocomplete suggests it. */
export function checkChoice(form: Form, item: unknown, type: number): Choice | null {
  const json = model(form, item, ['name', 'name_localizations', 'value'])
  if (!json) return null
  const name = text(form.at('name'), json['name'], { min: 1, max: CHOICE_NAME, must: true }) ?? ''
  const { value } = json
  const at = form.at('value')
  if (type === STRING) {
    return { name, value: text(at, value, { min: 1, max: CHOICE_VALUE, must: true }) ?? '' }
  }
  if (typeof value !== 'number' || Math.abs(value) > LARGEST_NUMBER) {
    at.fail('NUMBER_TYPE_COERCE', `Value "${JSON.stringify(value)}" is not a number.`)
    return null
  }
  if (type === INTEGER) whole(at, value, { min: -LARGEST_NUMBER, max: LARGEST_NUMBER })
  return { name, value }
}

function checkBounds(form: Form, json: Json, type: number): void {
  const only = (fields: string[], types: number[]) => {
    for (const field of fields) {
      if (json[field] === undefined || json[field] === null || types.includes(type)) continue
      form
        .at(field)
        .fail('APPLICATION_COMMAND_OPTIONS_FIELD_INVALID', `${field} is not for this type of option`)
    }
  }
  only(['min_value', 'max_value'], [INTEGER, NUMBER])
  only(['min_length', 'max_length'], [STRING])
  only(['channel_types'], [CHANNEL])
  whole(form.at('min_length'), json['min_length'], { min: 0, max: LONGEST_STRING })
  whole(form.at('max_length'), json['max_length'], { min: 1, max: LONGEST_STRING })
  for (const field of ['min_value', 'max_value']) {
    const bound = json[field]
    if (bound === undefined || bound === null) continue
    if (typeof bound !== 'number')
      form.at(field).fail('NUMBER_TYPE_COERCE', `Value "${JSON.stringify(bound)}" is not a number.`)
    else if (type === INTEGER) whole(form.at(field), bound, { min: -LARGEST_NUMBER, max: LARGEST_NUMBER })
  }
  checkLength(
    form.at('channel_types'),
    list(form.at('channel_types'), json['channel_types'], { max: 20 }).length,
    { max: 20 },
  )
}

/** Names, descriptions and values of choices count towards the size of a command. */
export function optionLength(options: readonly Option[]): number {
  return options.reduce((sum, { name, json, choices, options }) => {
    const inChoices = choices.reduce((all, { name, value }) => all + name.length + String(value).length, 0)
    return sum + name.length + longestDescription(json) + inChoices + optionLength(options)
  }, 0)
}
