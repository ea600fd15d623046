import { Collapse, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { row } from '../layout/layout.ts'
import classes from './disclosure.module.css'

type DisclosureProps = {
  label: string
  /** Mounts `children` only while shown. */
  isLazy?: boolean
  children: ReactNode
}

export function Disclosure({ label, isLazy, children }: DisclosureProps) {
  const id = useId()
  const [isOpen, { toggle }] = useDisclosure()
  return (
    <div>
      <UnstyledButton
        className={`${classes.button} ${row(4, 'inline', 'touch', 'note', 'hoverText')}`}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        <IconChevronRight size={16} stroke={1.75} aria-hidden />
        {label}
      </UnstyledButton>
      <Collapse id={id} expanded={isOpen} keepMountedMode="display-none">
        {(!isLazy || isOpen) && children}
      </Collapse>
    </div>
  )
}
