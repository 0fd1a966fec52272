/**
 * The completion scripts, and where a shell looks for them. Each script calls `cb __complete -- WORDS…`, whose last word is
 * the word at the cursor, and shows the candidates that it prints (complete.ts).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { shownCode } from '../../storage/error-code.ts';
import { makeFolder } from '../../storage/folder.ts';
import { absoluteFrom } from '../../storage/standard-folder.ts';
import type { Context } from '../context.ts';
import { usage } from '../failure.ts';
import { homeOf } from '../folders.ts';

/** Works in bash 3.2, the version of macOS, which does not have compopt. */
const bash = `# Completion of cb for bash, printed by \`cb completion bash\`.
_cb() {
  local i at=0 typed=() line word words=() meanings=() widest=0 current flag='' inserted
  # bash splits words at = and :, which can be part of a value.
  for ((i = 1; i <= COMP_CWORD; i++)); do
    if ((at > 0)) && [[ \${COMP_WORDS[i]} == [=:] || \${COMP_WORDS[i-1]} == [=:] ]]; then
      typed[at]+=\${COMP_WORDS[i]}
    else
      typed[++at]=\${COMP_WORDS[i]}
    fi
  done
  current=\${typed[at]}
  while IFS= read -r line; do
    case $line in
      :list) compopt -o nospace 2>/dev/null ;;
      :files)
        compopt -o filenames 2>/dev/null
        [[ $current == --*=* ]] && flag=\${current%%=*}=
        while IFS= read -r word; do words+=("$flag$word"); done < <(compgen -f -- "\${current#"$flag"}")
        ;;
      "$current"*)
        word=\${line%%$'\\t'*}
        words+=("$word") meanings+=("\${line#"$word"}")
        ((\${#word} > widest)) && widest=\${#word}
        ;;
    esac
  done < <("\${COMP_WORDS[0]/#\\~/$HOME}" __complete -- "\${typed[@]}" 2>/dev/null </dev/null)
  # The part before the last = or : is already on the line.
  inserted=\${current%"\${COMP_WORDS[COMP_CWORD]#[=:]}"}
  COMPREPLY=()
  for ((i = 0; i < \${#words[@]}; i++)); do
    word=\${words[i]}
    # Show meanings only in a list of several words, because nothing is inserted from it.
    if ((\${#words[@]} > 1)) && [[ $COMP_TYPE =~ ^(33|63|64)$ && \${meanings[i]} ]]; then
      printf -v word '%-*s  (%s)' "$widest" "$word" "\${meanings[i]#?}"
    fi
    COMPREPLY+=("\${word#"$inserted"}")
  done
}

complete -F _cb cb
`;

const zsh = `#compdef cb
# Completion of cb for zsh, printed by \`cb completion zsh\`.
_cb() {
  local line word described=() options=()
  for line in "\${(@f)$("\${(Q)words[1]/#\\~/$HOME}" __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null </dev/null)}"; do
    case $line in
      :files) compset -P 1 '--*='; _files; return ;;
      :list) options=(-qS ,) ;;
      ?*)
        word=\${\${line%%$'\\t'*}//:/\\\\:}
        [[ $line == *$'\\t'* ]] && word+=:\${line#*$'\\t'}
        described+=($word)
        ;;
    esac
  done
  _describe -t values value described $options
}

# A file in fpath is called at once; a sourced file registers the function.
if [[ $funcstack[1] == _cb ]]; then _cb "$@"; else compdef _cb cb; fi
`;

const fish = `# Completion of cb for fish, printed by \`cb completion fish\`.
function __cb_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command $words[1] __complete -- $words[2..-1] "$current" 2>/dev/null </dev/null)
        switch $line
            case :files
                set -l flag (string match -r '^--[^=]*=' -- $current)
                printf "$flag%s\\n" (__fish_complete_path (string replace -- "$flag" '' "$current"))
            case ':*'
            case '*'
                echo $line
        end
    end
end

complete -c cb -f -k -a '(__cb_complete)'
`;

/** PowerShell completes file names by itself if there are no candidates. */
const powershell = `# Completion of cb for PowerShell, printed by \`cb completion powershell\`.
Register-ArgumentCompleter -Native -CommandName cb -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $program, $typed = @(
    $commandAst.CommandElements |
      Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
      ForEach-Object { $_.Extent.Text.Trim('"', "'") }
  )
  # PowerShell before 7.3 drops an empty argument; cb removes the quotes.
  $current = if ($wordToComplete) { $wordToComplete } else { '""' }
  foreach ($line in & $program __complete '--' @typed $current 2>$null) {
    $word, $meaning = $line -split "\`t", 2
    if ($word -like ':*' -or -not $word.StartsWith($wordToComplete, [StringComparison]::OrdinalIgnoreCase)) { continue }
    if (-not $meaning) { $meaning = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $meaning)
  }
}
`;

/** `file` is in the folder completions/. */
export const shells = {
  bash: { title: 'bash 3.2 or newer', file: 'cb.bash', script: bash },
  zsh: { title: 'zsh 5 or newer', file: 'cb.zsh', script: zsh },
  fish: { title: 'fish 3 or newer', file: 'cb.fish', script: fish },
  powershell: { title: 'PowerShell 5 or newer', file: 'cb.ps1', script: powershell },
};

export type ShellName = keyof typeof shells;

export const shellNames = Object.keys(shells) as ShellName[];

/** How to install the script for a shell. */
export interface Installation {
  readonly file: string;
  /** A line to add to the file; if absent, the file holds the script alone. */
  readonly line?: string;
  /** What the user still has to do. */
  readonly note?: string;
}

/** Throws a usage failure for an unknown shell. */
export function shellNamed(typed: string | undefined, { env, platform }: Context): ShellName {
  const name = typed ?? (env.SHELL ? basename(env.SHELL) : undefined);
  if (name === undefined && platform === 'win32') return 'powershell';
  const found = shellNames.find((one) => one === (name === 'pwsh' ? 'powershell' : name));
  if (found) return found;
  const own =
    name === undefined ? '$SHELL is not set.' : `$SHELL is ${name}, which cb can't complete.`;
  const what = typed === undefined ? own : `Unknown shell '${typed}'.`;
  throw usage(what, { hint: `Use one of ${shellNames.join(', ')}.` });
}

export function installationOf(shell: ShellName, context: Context): Installation {
  if (shell === 'bash') {
    const data = absoluteFrom(context, 'XDG_DATA_HOME') ?? join(homeOf(context), '.local/share');
    const file = join(data, 'bash-completion/completions/cb');
    const note = `New shells use it if the package bash-completion is installed. Otherwise add this line to ~/.bashrc:\n  source ${file}`;
    return { file, note };
  }
  if (shell === 'fish') {
    return { file: join(configHome(context), 'fish/completions/cb.fish') };
  }
  return shell === 'zsh' ? zshInstallation(context) : powershellInstallation(context);
}

function configHome(context: Context): string {
  return absoluteFrom(context, 'XDG_CONFIG_HOME') ?? join(homeOf(context), '.config');
}

function zshInstallation(context: Context): Installation {
  const home = homeOf(context);
  const file = join(home, '.zfunc/_cb');
  const settings = join(absoluteFrom(context, 'ZDOTDIR') ?? home, '.zshrc');
  if (textOf(settings).includes('.zfunc')) return { file };
  const note = `Add these lines to ${settings}, before any call of compinit:\n  fpath=(~/.zfunc $fpath)\n  autoload -Uz compinit && compinit`;
  return { file, note };
}

function powershellInstallation(context: Context): Installation {
  const folder =
    context.platform === 'win32'
      ? join(homeOf(context), 'Documents/PowerShell')
      : join(configHome(context), 'powershell');
  const file = join(folder, 'Microsoft.PowerShell_profile.ps1');
  return { file, line: 'cb completion powershell | Out-String | Invoke-Expression' };
}

/** Returns true if the file was up to date. Throws a usage failure if it can't be written. */
export function install({ file, line }: Installation, script: string): boolean {
  const before = textOf(file);
  if (line === undefined ? before === script : before.split(/\r?\n/).includes(line)) return true;
  const start = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  try {
    makeFolder(dirname(file), 0o777);
    writeFileSync(file, line === undefined ? script : `${start}${line}\n`);
  } catch (cause) {
    throw usage(`${file} can't be written (${shownCode(cause)}).`, {
      cause,
      hint: 'To print the script instead, run cb completion with the name of the shell.',
    });
  }
  return false;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
