import { type Form, list, model, notModelled, oneOf, required, text, truth, whole } from '../form.ts'

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-modal */
const TITLE = 45
const CUSTOM_ID = 100
const MOST_COMPONENTS = 5
/** https://docs.discord.com/developers/components/reference#label and #text-input */
const LABEL_TYPE = 18
const LABEL = 45
const DESCRIPTION = 100
const INPUT_TYPE = 4
const PLACEHOLDER = 100
const LONGEST_VALUE = 4000

export interface ModalInput {
  label: string
  customId: string
  placeholder: string
  maxLength: number
}

/** A dialog that a person fills in. */
export interface Modal {
  title: string
  customId: string
  inputs: ModalInput[]
}

export function checkModal(form: Form, value: unknown): Modal {
  const body = model(form, value, ['custom_id', 'title', 'components']) ?? {}
  const found = list(form.at('components'), body['components'], { min: 1, max: MOST_COMPONENTS })
  if (body['components'] === undefined) required(form.at('components'))
  return {
    title: text(form.at('title'), body['title'], { min: 1, max: TITLE, must: true }) ?? '',
    customId: text(form.at('custom_id'), body['custom_id'], { min: 1, max: CUSTOM_ID, must: true }) ?? '',
    inputs: found.flatMap((item, index) => checkLabel(form.at('components', index), item) ?? []),
  }
}

function checkLabel(form: Form, item: unknown): ModalInput | null {
  const json = model(form, item, ['type', 'id', 'label', 'description', 'component'])
  if (!json) return null
  if (json['type'] !== LABEL_TYPE) {
    notModelled(form.at('type'), `components of type ${String(json['type'])} in a modal`)
    return null
  }
  const label = text(form.at('label'), json['label'], { min: 1, max: LABEL, must: true }) ?? ''
  text(form.at('description'), json['description'], { max: DESCRIPTION })
  return checkInput(form.at('component'), json['component'], label)
}

const INPUT_FIELDS = 'type id custom_id style min_length max_length required value placeholder'.split(' ')

function checkInput(form: Form, item: unknown, label: string): ModalInput | null {
  const json = model(form, item, INPUT_FIELDS)
  if (!json) return null
  if (json['type'] !== INPUT_TYPE) {
    notModelled(form.at('type'), `components of type ${String(json['type'])} in a label`)
    return null
  }
  if (json['style'] === undefined) required(form.at('style'))
  oneOf(form.at('style'), json['style'], [1, 2])
  truth(form.at('required'), json['required'])
  whole(form.at('min_length'), json['min_length'], { min: 0, max: LONGEST_VALUE })
  text(form.at('value'), json['value'], { max: LONGEST_VALUE })
  return {
    label,
    customId: text(form.at('custom_id'), json['custom_id'], { min: 1, max: CUSTOM_ID, must: true }) ?? '',
    placeholder: text(form.at('placeholder'), json['placeholder'], { max: PLACEHOLDER }) ?? '',
    maxLength:
      whole(form.at('max_length'), json['max_length'], { min: 1, max: LONGEST_VALUE }) ?? LONGEST_VALUE,
  }
}
