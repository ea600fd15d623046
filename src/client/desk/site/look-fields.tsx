import { look, row } from '#client/kit/layout/layout.ts'
import '../../kit/styles/mantine-pages.css'
import '@mantine/core/styles/ColorSwatch.layer.css'
import '@mantine/core/styles/ColorPicker.layer.css'
import '@mantine/core/styles/ColorInput.layer.css'
import { Button, ColorInput, Textarea, TextInput } from '@mantine/core'
import { RULES_MAX, SITE_NAME_MAX, TAGLINE_MAX } from '#shared/admin-limits.ts'
import { accentOn, DEFAULT_ACCENT, isColour } from '#shared/colour.ts'
import styles from './site-settings.module.css'
import type { FieldsProps } from './site-values.ts'

export function NameFields({ values, set }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Name"
        maxLength={SITE_NAME_MAX}
        value={values.name}
        onChange={(event) => set('name', event.currentTarget.value)}
      />
      <TextInput
        label="Tagline"
        description="Under the name on the sign-in page"
        maxLength={TAGLINE_MAX}
        value={values.tagline}
        onChange={(event) => set('tagline', event.currentTarget.value)}
      />
      <AccentField accent={values.accent} onChange={(accent) => set('accent', accent)} />
    </>
  )
}

export function RulesField({ values, set }: FieldsProps) {
  return (
    <Textarea
      label="Rules"
      description="A page of their own. A line that begins with # is a heading, one with - an item of a list. Empty for none."
      rows={8}
      resize="vertical"
      maxLength={RULES_MAX}
      value={values.rules}
      onChange={(event) => set('rules', event.currentTarget.value)}
    />
  )
}

type AccentFieldProps = { accent: string | null; onChange: (accent: string | null) => void }

function AccentField({ accent, onChange }: AccentFieldProps) {
  const shown = accent && isColour(accent) ? accent : undefined
  return (
    <div>
      <ColorInput
        label="Accent colour"
        className={styles.colour}
        eyeDropperButtonProps={{ 'aria-label': 'Pick a colour from the screen' }}
        value={accent ?? DEFAULT_ACCENT}
        onChange={(colour) => onChange(colour || null)}
      />
      <div className={row(12, 'wrap')}>
        {shown &&
          (['dark', 'light'] as const).map((scheme) => {
            const { fill, ink } = accentOn(scheme, shown)
            return (
              <span
                key={scheme}
                className={row(0, 'inline', 'touch', 'padX16', 'rounded', 'strong')}
                style={{ background: fill, color: ink }}
              >
                {scheme === 'dark' ? 'On dark' : 'On light'}
              </span>
            )
          })}
        {accent === null ? (
          <span className={look('note')}>This is the default.</span>
        ) : (
          <Button size="sm" variant="subtle" onClick={() => onChange(null)}>
            Reset to the default
          </Button>
        )}
      </div>
    </div>
  )
}
