/** What bash and zsh need to know to complete the commands of Vaultdoor. */
export const completionScripts = {
  bash: `# Completion of vaultdoor for bash. To use it, add this line to ~/.bashrc:
#   source <(vaultdoor completion bash)
_vaultdoor() {
  local line before
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :file*) before=\${line#:file }; compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -f -- "\${2#"$before"}"); return ;;
      :directory*) before=\${line#:directory }; compopt -o filenames
        mapfile -t COMPREPLY < <(compgen -d -- "\${2#"$before"}"); return ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <("$1" completion words bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -F _vaultdoor vaultdoor
`,
  zsh: `#compdef vaultdoor
# Completion of vaultdoor for zsh. To use it, add this line to ~/.zshrc, after "compinit":
#   source <(vaultdoor completion zsh)
_vaultdoor() {
  local -a found
  local typed="\${(Q)PREFIX}"
  found=("\${(@f)$("\${words[1]}" completion words zsh "\${(@Q)words[2,CURRENT-1]}" "$typed" 2>/dev/null)}")
  case $found[1] in
    :file*) compset -P "\${found[1]#:file }"; _files ;;
    :directory*) compset -P "\${found[1]#:directory }"; _files -/ ;;
    ?*) compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -a found ;;
  esac
}
if [ "$funcstack[1]" = "_vaultdoor" ]; then _vaultdoor "$@"; else compdef _vaultdoor vaultdoor; fi
`,
} as const;
