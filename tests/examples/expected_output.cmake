# The programs of examples/cpp and what each must print.
set(WHEREOF_EXAMPLES attention evidence backward)
set(expected_output_of_attention "first 0\\.500, last 0\\.500")
set(expected_output_of_evidence "clause 2: 0\\.[0-9]+ of the weight")
set(expected_output_of_backward "step 0: answer .*step 200: answer ")
