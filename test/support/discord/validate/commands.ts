import { type Form, list, model, notModelled, oneOf, required, text, truth, whole } from '../form.ts'
import type { Json } from '../refusals.ts'
import { checkName } from './name.ts'
import { checkLocalizations, checkOptions, longestDescription, type Option, optionLength } from './options.ts'

/** https://docs.discord.com/developers/interactions/application-commands */
const LARGEST = 8000
const DESCRIPTION = 100

export interface CommandSpec {
  name: string
  description: string
  options: Option[]
  /** Bits that a member must have to see it; null: anybody; 0: administrators only. */
  memberPermissions: bigint | null
  nsfw: boolean
  /** 0 guild, 1 direct message with the bot, 2 other direct messages. */
  contexts: number[]
  /** 0 guild, 1 user. */
  integrationTypes: number[]
  json: Json
}

const FIELDS = [
  'name name_localizations description description_localizations type options nsfw id',
  'default_member_permissions dm_permission contexts integration_types handler',
].flatMap((fields) => fields.split(' '))

export function checkCommands(form: Form, value: unknown[]): CommandSpec[] {
  const names = new Set<string>()
  return value.flatMap((item, index) => {
    const at = form.at(index)
    const spec = checkCommand(at, item)
    if (!spec) return []
    if (names.has(spec.name)) {
      at.fail('APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique')
    }
    names.add(spec.name)
    return [spec]
  })
}

function checkCommand(form: Form, value: unknown): CommandSpec | null {
  const json = model(form, value, FIELDS)
  if (!json) return null
  if (json['type'] !== undefined && json['type'] !== 1) notModelled(form.at('type'), 'commands of a menu')
  const name = checkName(form.at('name'), json['name'])
  const description = text(form.at('description'), json['description'], {
    min: 1,
    max: DESCRIPTION,
    must: true,
  })
  checkLocalizations(form.at('description_localizations'), json['description_localizations'])
  const options = checkOptions(form.at('options'), json['options'], 0)
  truth(form.at('dm_permission'), json['dm_permission'])
  const spec: CommandSpec = {
    name,
    description: description ?? '',
    options,
    memberPermissions: checkPermissions(
      form.at('default_member_permissions'),
      json['default_member_permissions'],
    ),
    nsfw: truth(form.at('nsfw'), json['nsfw']),
    contexts: numbers(form.at('contexts'), json['contexts'], [0, 1, 2]) ?? [0, 1],
    integrationTypes: numbers(form.at('integration_types'), json['integration_types'], [0, 1]) ?? [0],
    json,
  }
  const length = spec.name.length + longestDescription(json) + optionLength(options)
  if (length > LARGEST)
    form.fail('APPLICATION_COMMAND_TOO_LARGE', `Command exceeds maximum size (${LARGEST})`)
  return spec
}

function checkPermissions(form: Form, value: unknown): bigint | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' && /^\d+$/.test(value)) return BigInt(value)
  form.fail('NUMBER_TYPE_COERCE', `Value "${JSON.stringify(value)}" is not a string of digits.`)
  return null
}

function numbers(form: Form, value: unknown, choices: readonly number[]): number[] | null {
  if (value === undefined || value === null) return null
  const found = list(form, value, { min: 1, max: choices.length })
  if (new Set(found).size < found.length)
    form.fail('SET_TYPE_ALREADY_CONTAINS_VALUE', 'Values must be unique')
  return found.flatMap((one, index) => {
    if (one === null || one === undefined) required(form.at(index))
    whole(form.at(index), one, { min: 0, max: 9 })
    return oneOf(form.at(index), one, choices) ?? []
  })
}
